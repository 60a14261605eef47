-- Sets of tools for common roles. Templates are defined by the system and the same for every tenant.

CREATE TABLE permission_templates (
    template_id VARCHAR(100) PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL
);

CREATE TABLE permission_template_tools (
    template_id VARCHAR(100) NOT NULL REFERENCES permission_templates ON DELETE CASCADE,
    tool_name   VARCHAR(200) NOT NULL,
    PRIMARY KEY (template_id, tool_name)
);

INSERT INTO permission_templates (template_id, name, description) VALUES
    ('backend-dev', 'Standard Backend Dev', 'Reads and writes files, runs commands, talks to services and repositories.'),
    ('frontend-dev', 'Standard Frontend Dev', 'Reads and writes files, runs commands, looks things up.'),
    ('reviewer', 'Reviewer', 'Reads files and pull requests; changes nothing.'),
    ('researcher', 'Researcher', 'Searches and reads the web, reads files, remembers what it found.'),
    ('data-analyst', 'Data Analyst', 'Reads files and databases, computes and draws.'),
    ('full-access', 'Full Access', 'Every built-in tool.');

INSERT INTO permission_template_tools (template_id, tool_name)
SELECT template_id, unnest(tools) FROM (VALUES
    ('backend-dev', ARRAY['file_read', 'file_write', 'file_delete', 'file_list', 'bash', 'http_request', 'web_search',
        'github_get_pr_details', 'github_post_pr_comment', 'github_create_file_in_repo', 'memory_save',
        'memory_retrieve', 'cloud_db_query', 'remote_build']),
    ('frontend-dev', ARRAY['file_read', 'file_write', 'file_delete', 'file_list', 'bash', 'web_search', 'browse_web',
        'github_get_pr_details', 'github_post_pr_comment', 'memory_save', 'memory_retrieve']),
    ('reviewer', ARRAY['file_read', 'file_list', 'web_search', 'github_get_pr_details', 'memory_retrieve']),
    ('researcher', ARRAY['file_read', 'file_list', 'web_search', 'browse_web', 'memory_save', 'memory_retrieve']),
    ('data-analyst', ARRAY['file_read', 'file_list', 'cloud_db_query', 'data_analyze', 'data_visualize', 'memory_save',
        'memory_retrieve']),
    ('full-access', ARRAY['file_read', 'file_write', 'file_delete', 'file_list', 'bash', 'http_request', 'web_search',
        'browse_web', 'github_create_repo', 'github_get_pr_details', 'github_post_pr_comment', 'github_merge_pr',
        'github_create_file_in_repo', 'memory_save', 'memory_retrieve', 'memory_delete', 'data_analyze',
        'data_visualize', 'cloud_db_query', 'vault_read', 'remote_build'])
) AS template (template_id, tools);
