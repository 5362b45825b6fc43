"""Campaigns: from a study's file to stored results, on all cores, restartable at any moment.

`study` reads the TOML file, `plan` turns it into jobs, `pool` runs functions in worker processes
and survives their death, `engine` puts finished jobs into the store, `progress` shows how far.
"""
