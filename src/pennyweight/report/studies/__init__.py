"""The pages of studies: the analyses in a study's field `shows`, in order.

`view` has the rows of one study, `page` assembles its page, and each module of `sections` is one
analysis: a function `section` that creates it from the view, or `None` if there is nothing to show.
A new module there adds a name for `shows`.
"""
