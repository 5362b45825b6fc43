"""Campaigns: from a study file to stored results, on all cores, restartable at any moment.

`plan` converts a study to jobs, `pool` runs functions in worker processes and survives their death,
`engine` stores finished jobs, `progress` shows the progress.
"""
