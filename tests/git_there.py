"""Tests that use git, which a machine may lack."""

import shutil

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
