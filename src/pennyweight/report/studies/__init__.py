"""The pages of studies: what a study's file asks for under `shows`, in its order.

`view` has the rows of one study, `page` puts its page together, and each module of `sections` is
one analysis: a function `section` that makes it from the view, or `None` where there is nothing to
show. A new module there is a new name for `shows`.
"""
