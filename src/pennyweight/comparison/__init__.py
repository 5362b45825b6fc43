"""Two sets of measurements that are compared: what they are read from, and which rows pair up.

The arithmetic is in :mod:`pennyweight.analysis.comparison`.
"""
