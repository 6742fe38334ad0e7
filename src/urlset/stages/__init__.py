"""Stages that commands share: seeds, read, record, probe, judge. None of them knows a capability or a command."""
