"""SECURITY.md says who is trusted with what: each cell of its table has tests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
TITLE = "## Who is trusted with what"

# By row, in the order of the columns: files to read, files to write, addresses, credentials, code and SQL.
TESTS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "Command line": (
        ("hostile_processes/test_mcp::test_only_the_user_names_pipes",),
        ("hostile_files/test_own_files::test_links_above_are_the_users_own",),
        ("fetch/test_guard::test_the_trusted_host_may_be_private", "fetch/test_guard::test_which_hosts_may_be_private"),
        ("fetch/test_secrets::test_named_host_gets_credentials",
         "fetch/test_secrets::test_other_hosts_get_no_credentials"),
        ("engine/test_own_rules::test_every_function_that_reads_or_writes_is_refused",),
    ),
    "Configuration": (
        ("hostile_files/test_monitor::test_a_file_behind_a_link_that_leads_out_is_not_used",
         "options/test_load::test_the_search_ends_at_a_file_of_another_user"),
        ("hostile_files/test_own_files::test_nothing_is_published_through_a_link_in_a_repository",),
        ("options/test_load::test_a_file_does_not_decide_what_reads_a_secret",
         "hostile_serve/test_reach::test_a_file_decides_neither_reach_nor_credentials"),
        ("options/test_load::test_a_secret_of_the_same_file_may_be_read_as_it_says",
         "hostile_files/test_monitor::test_a_file_names_only_variables_with_the_prefix"),
        ("engine/test_own_rules::test_every_function_that_reads_or_writes_is_refused",
         "hostile_values/test_text::test_deep_queries_of_own_rules_are_refused"),
    ),
    "Folder": (
        ("hosting/test_hosts::test_links_out_of_the_directory_are_refused_and_counted",),
        ("hostile_files/test_nothing_written::test_a_folder",),
        ("net/test_connections::test_a_local_file_leads_to_no_private_host_that_is_named",),
        ("net/test_secrets_sent::test_a_local_file_names_nobody",),
        ("hostile_languages/test_cost::test_time_grows_with_the_text",
         "hostile_processes/test_git::test_a_build_runs_nothing"),
    ),
    "Store": (
        ("store/test_hostile_stores::test_shapes",),
        ("hostile_files/test_nothing_written::test_a_store",),
        ("net/test_stored_trust::test_private_hosts_are_not_requested",),
        ("net/test_stored_trust::test_public_hosts_get_no_secrets",),
        ("store/test_hostile_stores::test_shapes", "store/test_hostile_stores::test_a_query_has_a_time_limit"),
    ),
    "State": (
        ("hostile_files/test_own_files::test_what_is_planted_is_refused",
         "hostile_files/test_own_files::test_what_belongs_to_another_user_is_refused",
         "build/test_hostile_state::test_links_in_the_state_are_not_followed"),
        ("build/test_hostile_state::test_state_only_names_files_of_the_set",
         "build/test_hostile_state::test_only_what_the_last_build_wrote_is_removed",
         "hostile_files/test_own_files::test_files_of_duckdb_are_no_links"),
        ("hostile_files/test_workbench::test_no_planted_job_starts",),
        ("hostile_files/test_workbench::test_no_planted_job_starts",),
        ("hostile_files/test_workbench::test_no_planted_job_reads_a_file_when_it_is_resumed",),
    ),
    "Server": (
        ("fetch/test_hostile::test_every_behavior_gives_a_value",),
        ("hostile_files/test_nothing_written::test_a_server",),
        ("fetch/test_guard::test_a_redirect_to_a_private_address_is_not_followed",),
        ("fetch/test_secrets::test_redirect_to_another_host_drops_credentials",),
        ("fix/test_hostile::test_entities_are_not_expanded",
         "report/test_hostile_text::test_markdown_keeps_it_in_code_spans"),
    ),
    "Browser": (
        ("hostile_serve/test_requests::test_an_upload_is_the_target_of_its_job",),
        ("hostile_serve/test_interrupted::test_a_link_to_a_store_stays_a_link",),
        ("hostile_serve/test_reach::test_an_origin_that_the_command_line_names_is_reached",),
        ("hostile_serve/test_reach::test_credentials_go_to_their_origin_alone",),
        ("hostile_serve/test_requests::test_a_link_of_another_site_enters_a_query_and_does_not_run_it",
         "hostile_serve/test_requests::test_a_frame_of_another_site_is_refused"),
    ),
    "Pull request": (
        ("hostile_files/test_own_files::test_links_in_the_middle_of_a_path",
         "cli/test_planted_links::test_where_a_link_may_lead"),
        ("hostile_files/test_own_files::test_nothing_is_published_through_a_link_in_a_repository",),
        ("net/test_connections::test_a_local_file_leads_to_no_private_host_that_is_named",),
        ("hostile_files/test_monitor::test_a_value_is_never_shown",),
        ("hostile_processes/test_modules::test_the_action_runs_no_module_of_the_pull_request",
         "hostile_processes/test_git::test_the_configuration_of_a_repository_starts_nothing",
         "hostile_text/test_comments::test_whatever_is_accepted_does_nothing"),
    ),
    "Assistant": (
        ("cli/test_mcp::test_only_files_below_the_directory_are_read",
         "hostile_processes/test_mcp::test_links_in_a_directory_do_not_lead_out"),
        ("cli/test_mcp::test_queries_read_no_other_files",),
        ("cli/test_mcp::test_private_addresses_are_refused_whatever_the_configuration_allows",),
        ("cli/test_mcp::test_credentials_of_the_configuration_are_not_for_targets_of_an_assistant",),
        ("cli/test_mcp::test_queries_read_no_other_files",
         "hostile_processes/test_mcp::test_a_query_that_cannot_be_stopped_does_not_end_the_server"),
    ),
}  # fmt: skip


def test_each_cell_has_tests() -> None:
    table = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition(TITLE)[2].partition("\n\n##")[0]
    head, _, *rows = [line.strip("|").split(" | ") for line in table.splitlines() if line.startswith("|")]
    assert [re.findall(r"\*\*(.+?)\*\*", row[0])[0] for row in rows] == list(TESTS)
    for row, tests in zip(rows, TESTS.values(), strict=True):
        assert len(row) == len(head) == len(tests) + 1
        assert all(tests)


def test_the_tests_exist() -> None:
    named = {name for row in TESTS.values() for cell in row for name in cell}
    for name in sorted(named):
        module, _, test = name.partition("::")
        text = (ROOT / "tests" / f"{module}.py").read_text(encoding="utf-8")
        assert f"def {test}(" in text, name
