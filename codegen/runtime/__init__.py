"""What generated classes and functions need when they run.

A build writes the folders that its schemas use, and those that these import.
"""
