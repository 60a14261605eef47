-- The database of Toolgate, as the migrations in store/src/main/resources/db/migration make it.
-- Generated; write it anew with mvn -pl cli -am test -Dtest=PublishedApiTest -Dtoolgate.publish=true
-- Partitions, which are made as time goes by, are left out.

CREATE OR REPLACE FUNCTION public.announce_key_change(changed character varying[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    tenant VARCHAR;
BEGIN
    FOR tenant IN SELECT DISTINCT unnest(changed) ORDER BY 1 LOOP
        INSERT INTO key_versions AS v (tenant_id, version) VALUES (tenant, 1)
            ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1;
        PERFORM pg_notify('toolgate_keys', tenant);
    END LOOP;
END $function$;

CREATE OR REPLACE FUNCTION public.announce_mcp_server_change(changed character varying[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    tenant VARCHAR;
BEGIN
    FOR tenant IN SELECT DISTINCT unnest(changed) ORDER BY 1 LOOP
        INSERT INTO mcp_server_versions AS v (tenant_id, version) VALUES (tenant, 1)
            ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1;
        PERFORM pg_notify('toolgate_mcp_servers', tenant);
    END LOOP;
END $function$;

CREATE OR REPLACE FUNCTION public.announce_permission_change(changed character varying[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    tenant VARCHAR;
BEGIN
    -- In order, so that two changes of several tenants cannot wait for each other.
    FOR tenant IN SELECT DISTINCT unnest(changed) ORDER BY 1 LOOP
        INSERT INTO permission_versions AS v (tenant_id, version) VALUES (tenant, 1)
            ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1;
        PERFORM pg_notify('toolgate_permissions', tenant);
    END LOOP;
END $function$;

CREATE OR REPLACE FUNCTION public.create_audit_partitions(first_day date, months integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
    lower TIMESTAMPTZ;
    upper TIMESTAMPTZ;
    name TEXT;
    created INTEGER := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(21607, 0);
    FOR i IN 0 .. months - 1 LOOP
        lower := (date_trunc('month', first_day::timestamp) + make_interval(months => i)) AT TIME ZONE 'UTC';
        upper := (date_trunc('month', first_day::timestamp) + make_interval(months => i + 1)) AT TIME ZONE 'UTC';
        name := 'tool_audit_logs_' || to_char(lower AT TIME ZONE 'UTC', 'YYYY_MM');
        IF to_regclass(name) IS NULL
           AND NOT EXISTS (SELECT FROM tool_audit_logs_rest WHERE timestamp >= lower AND timestamp < upper) THEN
            EXECUTE format('CREATE TABLE %I (LIKE tool_audit_logs INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
            EXECUTE format('ALTER TABLE tool_audit_logs ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                           name, lower, upper);
            created := created + 1;
        END IF;
    END LOOP;
    RETURN created;
END $function$;

CREATE OR REPLACE FUNCTION public.external_tools_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
    tenant VARCHAR := coalesce(NEW.tenant_id, OLD.tenant_id);
BEGIN
    INSERT INTO external_tool_versions AS v (tenant_id, version) VALUES (tenant, 1)
        ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1;
    PERFORM pg_notify('toolgate_external_tools', tenant);
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.forget_memory_of_agents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM memory_items m USING changed_agents a
        WHERE m.tenant_id = a.tenant_id AND m.agent_id = a.agent_id;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.keys_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        PERFORM announce_key_change(ARRAY(SELECT DISTINCT tenant_id FROM (
            SELECT tenant_id, key_id, key_hash, role, agent_id, expires_at, revoked_at FROM old_rows
            EXCEPT
            SELECT tenant_id, key_id, key_hash, role, agent_id, expires_at, revoked_at FROM new_rows) AS gone));
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM announce_key_change(ARRAY(SELECT DISTINCT tenant_id FROM old_rows));
    ELSE
        PERFORM announce_key_change(ARRAY(SELECT tenant_id FROM tenants));
    END IF;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.mcp_servers_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        PERFORM announce_mcp_server_change(ARRAY(SELECT DISTINCT tenant_id FROM new_rows));
    ELSE
        PERFORM announce_mcp_server_change(ARRAY(SELECT DISTINCT tenant_id FROM old_rows));
    END IF;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.permissions_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        PERFORM announce_permission_change(ARRAY(SELECT DISTINCT tenant_id FROM new_rows));
    END IF;
    IF TG_OP IN ('UPDATE', 'DELETE') THEN
        PERFORM announce_permission_change(ARRAY(SELECT DISTINCT tenant_id FROM old_rows));
    END IF;
    IF TG_OP = 'TRUNCATE' THEN
        PERFORM announce_permission_change(ARRAY(SELECT tenant_id FROM permission_versions));
    END IF;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.restart_agent_grant_uses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM grant_uses WHERE agent_permission_id = NEW.id;
    IF NEW.max_uses IS NOT NULL THEN
        INSERT INTO grant_uses (tenant_id, agent_permission_id, max_uses) VALUES (NEW.tenant_id, NEW.id, NEW.max_uses);
    END IF;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.restart_group_grant_uses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM grant_uses WHERE group_permission_id = NEW.id;
    IF NEW.max_uses IS NOT NULL THEN
        INSERT INTO grant_uses (tenant_id, group_permission_id, max_uses) VALUES (NEW.tenant_id, NEW.id, NEW.max_uses);
    END IF;
    RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    NEW.updated_at := CURRENT_TIMESTAMP;
    RETURN NEW;
END $function$;

CREATE TABLE agent_group_members (
    tenant_id character varying(100) NOT NULL,
    group_id character varying(100) NOT NULL,
    agent_id character varying(100) NOT NULL,
    added_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    added_by character varying(100),
    CONSTRAINT agent_group_members_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, agent_id) ON DELETE CASCADE,
    CONSTRAINT agent_group_members_tenant_id_group_id_fkey FOREIGN KEY (tenant_id, group_id) REFERENCES agent_groups(tenant_id, group_id) ON DELETE CASCADE,
    CONSTRAINT agent_group_members_pkey PRIMARY KEY (tenant_id, agent_id, group_id)
);
CREATE INDEX idx_group_members ON public.agent_group_members USING btree (tenant_id, group_id);
CREATE TRIGGER agent_group_members_deleted AFTER DELETE ON public.agent_group_members REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER agent_group_members_inserted AFTER INSERT ON public.agent_group_members REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER agent_group_members_truncated AFTER TRUNCATE ON public.agent_group_members FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER agent_group_members_updated AFTER UPDATE ON public.agent_group_members REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();

CREATE TABLE agent_groups (
    tenant_id character varying(100) NOT NULL,
    group_id character varying(100) NOT NULL,
    description text,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT agent_groups_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT agent_groups_pkey PRIMARY KEY (tenant_id, group_id)
);

CREATE TABLE agent_tool_permissions (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    tenant_id character varying(100) NOT NULL,
    agent_id character varying(100) NOT NULL,
    tool_name character varying(200) NOT NULL,
    allowed boolean DEFAULT false NOT NULL,
    requires_approval boolean DEFAULT false NOT NULL,
    expires_at timestamp with time zone,
    condition text,
    condition_examples json,
    max_uses integer,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_by character varying(100),
    notes text,
    CONSTRAINT agent_tool_permissions_check CHECK ((allowed OR (expires_at IS NULL))),
    CONSTRAINT agent_tool_permissions_max_uses_check CHECK ((max_uses > 0)),
    CONSTRAINT agent_tool_permissions_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, agent_id) ON DELETE CASCADE,
    CONSTRAINT agent_tool_permissions_pkey PRIMARY KEY (id),
    CONSTRAINT agent_tool_permissions_tenant_id_agent_id_tool_name_key UNIQUE (tenant_id, agent_id, tool_name)
);
CREATE INDEX idx_agent_permissions_expiry ON public.agent_tool_permissions USING btree (tenant_id, expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX idx_tool_permissions ON public.agent_tool_permissions USING btree (tenant_id, tool_name);
CREATE TRIGGER agent_tool_permissions_deleted AFTER DELETE ON public.agent_tool_permissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER agent_tool_permissions_inserted AFTER INSERT ON public.agent_tool_permissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER agent_tool_permissions_truncated AFTER TRUNCATE ON public.agent_tool_permissions FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER agent_tool_permissions_updated AFTER UPDATE ON public.agent_tool_permissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER agent_tool_permissions_updated_at BEFORE UPDATE ON public.agent_tool_permissions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER agent_tool_permissions_uses AFTER INSERT OR UPDATE ON public.agent_tool_permissions FOR EACH ROW EXECUTE FUNCTION restart_agent_grant_uses();

CREATE TABLE agents (
    tenant_id character varying(100) NOT NULL,
    agent_id character varying(100) NOT NULL,
    name text,
    description text,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    trust_level character varying(20) DEFAULT 'guided'::character varying NOT NULL,
    CONSTRAINT agents_trust_level_check CHECK (((trust_level)::text = ANY ((ARRAY['supervised'::character varying, 'guided'::character varying, 'autonomous'::character varying])::text[]))),
    CONSTRAINT agents_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT agents_pkey PRIMARY KEY (tenant_id, agent_id)
);
CREATE TRIGGER agents_created_memory AFTER INSERT ON public.agents REFERENCING NEW TABLE AS changed_agents FOR EACH STATEMENT EXECUTE FUNCTION forget_memory_of_agents();
CREATE TRIGGER agents_deleted_memory AFTER DELETE ON public.agents REFERENCING OLD TABLE AS changed_agents FOR EACH STATEMENT EXECUTE FUNCTION forget_memory_of_agents();
CREATE TRIGGER agents_updated_at BEFORE UPDATE ON public.agents FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE api_keys (
    key_id uuid DEFAULT gen_random_uuid() NOT NULL,
    tenant_id character varying(100) NOT NULL,
    key_hash bytea NOT NULL,
    key_prefix character varying(16) NOT NULL,
    role character varying(20) NOT NULL,
    agent_id character varying(100),
    name text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    created_by character varying(100),
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    revoked_by character varying(100),
    last_used_at timestamp with time zone,
    origin character varying(20) DEFAULT 'request'::character varying NOT NULL,
    rotated_from uuid,
    principal_id uuid,
    CONSTRAINT api_keys_check CHECK ((((role)::text = 'agent'::text) = (agent_id IS NOT NULL))),
    CONSTRAINT api_keys_key_hash_check CHECK ((octet_length(key_hash) = 32)),
    CONSTRAINT api_keys_origin_check CHECK (((origin)::text = ANY ((ARRAY['request'::character varying, 'setting'::character varying, 'home'::character varying])::text[]))),
    CONSTRAINT api_keys_role_check CHECK (((role)::text = ANY ((ARRAY['admin'::character varying, 'operator'::character varying, 'auditor'::character varying, 'orchestrator'::character varying, 'agent'::character varying, 'user'::character varying])::text[]))),
    CONSTRAINT api_keys_rotated_from_fkey FOREIGN KEY (rotated_from) REFERENCES api_keys(key_id) ON DELETE SET NULL,
    CONSTRAINT api_keys_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, agent_id) ON DELETE CASCADE,
    CONSTRAINT api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT api_keys_pkey PRIMARY KEY (key_id),
    CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash)
);
CREATE INDEX idx_api_keys_rotated_from ON public.api_keys USING btree (rotated_from) WHERE (rotated_from IS NOT NULL);
CREATE INDEX idx_api_keys_tenant ON public.api_keys USING btree (tenant_id, created_at);
CREATE TRIGGER api_keys_deleted AFTER DELETE ON public.api_keys REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();
CREATE TRIGGER api_keys_truncated AFTER TRUNCATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();
CREATE TRIGGER api_keys_updated AFTER UPDATE ON public.api_keys REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();

CREATE TABLE applied_migrations (
    singleton boolean DEFAULT true NOT NULL,
    fingerprint text NOT NULL,
    privileges text,
    CONSTRAINT applied_migrations_singleton_check CHECK (singleton),
    CONSTRAINT applied_migrations_pkey PRIMARY KEY (singleton)
);

CREATE TABLE approval_yeses (
    approval_id uuid NOT NULL,
    said_by character varying(200) NOT NULL,
    reason text,
    scope character varying(20) NOT NULL,
    until timestamp with time zone,
    said_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT approval_yeses_scope_check CHECK (((scope)::text = ANY ((ARRAY['once'::character varying, 'session'::character varying, 'agent'::character varying])::text[]))),
    CONSTRAINT approval_yeses_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approvals(approval_id) ON DELETE CASCADE,
    CONSTRAINT approval_yeses_pkey PRIMARY KEY (approval_id, said_by)
);

CREATE TABLE approvals (
    approval_id uuid DEFAULT gen_random_uuid() NOT NULL,
    tenant_id character varying(100) NOT NULL,
    request_id character varying(100) NOT NULL,
    agent_id character varying(100) NOT NULL,
    session_id character varying(100),
    tool_name character varying(200) NOT NULL,
    arguments text NOT NULL,
    arguments_digest bytea NOT NULL,
    reason text NOT NULL,
    approval_rule_id character varying(100),
    preview text,
    verdict character varying(20),
    asked_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone,
    answered_by text,
    answer_reason text,
    principal character varying(200) DEFAULT ''::character varying NOT NULL,
    workspace_id character varying(100) DEFAULT 'default'::character varying NOT NULL,
    project_id character varying(100),
    operation character varying(100) DEFAULT 'execute'::character varying NOT NULL,
    scope character varying(20),
    held_call text,
    waiter uuid,
    adopted_at timestamp with time zone,
    claimed_by uuid,
    claimed_at timestamp with time zone,
    ended_at timestamp with time zone,
    ends_with_waiter boolean DEFAULT false NOT NULL,
    causes jsonb DEFAULT '[]'::jsonb NOT NULL,
    approvers_needed integer DEFAULT 1 NOT NULL,
    caller_may_approve boolean DEFAULT true NOT NULL,
    masked_characters bigint DEFAULT 0 NOT NULL,
    for_permit boolean DEFAULT false NOT NULL,
    CONSTRAINT approvals_approvers_needed_check CHECK ((approvers_needed > 0)),
    CONSTRAINT approvals_check CHECK (((verdict IS NULL) = (answered_at IS NULL))),
    CONSTRAINT approvals_scope_check CHECK (((scope)::text = ANY ((ARRAY['once'::character varying, 'session'::character varying, 'agent'::character varying])::text[]))),
    CONSTRAINT approvals_verdict_check CHECK (((verdict)::text = ANY ((ARRAY['APPROVED'::character varying, 'DENIED'::character varying, 'TIMED_OUT'::character varying, 'WITHDRAWN'::character varying])::text[]))),
    CONSTRAINT approvals_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT approvals_pkey PRIMARY KEY (approval_id)
);
CREATE INDEX idx_approvals_answered ON public.approvals USING btree (answered_at) WHERE (answered_at IS NOT NULL);
CREATE INDEX idx_approvals_asked ON public.approvals USING btree (asked_at);
CREATE INDEX idx_approvals_due ON public.approvals USING btree (answered_at) WHERE ((ended_at IS NULL) AND (verdict IS NOT NULL));
CREATE INDEX idx_approvals_ending ON public.approvals USING btree (waiter) WHERE (ends_with_waiter AND (verdict IS NULL) AND (ended_at IS NULL));
CREATE INDEX idx_approvals_expiry ON public.approvals USING btree (expires_at) WHERE (verdict IS NULL);
CREATE UNIQUE INDEX idx_approvals_held ON public.approvals USING btree (tenant_id, agent_id, request_id) WHERE (ended_at IS NULL);
CREATE INDEX idx_approvals_list ON public.approvals USING btree (tenant_id, asked_at, approval_id);
CREATE INDEX idx_approvals_open ON public.approvals USING btree (tenant_id, asked_at) WHERE (verdict IS NULL);
CREATE INDEX idx_approvals_request ON public.approvals USING btree (tenant_id, request_id, agent_id);

CREATE TABLE artifact_contents (
    tenant_id character varying(100) NOT NULL,
    sha256 bytea NOT NULL,
    place text NOT NULL,
    size_bytes bigint NOT NULL,
    artifacts bigint NOT NULL,
    CONSTRAINT artifact_contents_artifacts_check CHECK ((artifacts >= 0)),
    CONSTRAINT artifact_contents_sha256_check CHECK ((length(sha256) = 32)),
    CONSTRAINT artifact_contents_size_bytes_check CHECK ((size_bytes >= 0)),
    CONSTRAINT artifact_contents_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT artifact_contents_pkey PRIMARY KEY (tenant_id, sha256),
    CONSTRAINT artifact_contents_place_key UNIQUE (place)
);

CREATE TABLE artifact_usage (
    tenant_id character varying(100) NOT NULL,
    size_bytes bigint NOT NULL,
    CONSTRAINT artifact_usage_size_bytes_check CHECK ((size_bytes >= 0)),
    CONSTRAINT artifact_usage_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT artifact_usage_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE artifacts (
    tenant_id character varying(100) NOT NULL,
    workspace_id character varying(100) NOT NULL,
    artifact_id character varying(100) NOT NULL,
    request_id character varying(100),
    agent_id character varying(100),
    type character varying(100) NOT NULL,
    media_type character varying(200) NOT NULL,
    name text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    session_id character varying(100),
    principal text,
    CONSTRAINT artifacts_size_bytes_check CHECK ((size_bytes >= 0)),
    CONSTRAINT artifacts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT artifacts_tenant_id_sha256_fkey FOREIGN KEY (tenant_id, sha256) REFERENCES artifact_contents(tenant_id, sha256),
    CONSTRAINT artifacts_pkey PRIMARY KEY (tenant_id, workspace_id, artifact_id)
);
CREATE INDEX idx_artifacts_age ON public.artifacts USING btree (created_at);
CREATE INDEX idx_artifacts_content ON public.artifacts USING btree (tenant_id, sha256);
CREATE INDEX idx_artifacts_kept_states ON public.artifacts USING btree (created_at) WHERE ((type)::text = 'kept_state'::text);
CREATE INDEX idx_artifacts_newest ON public.artifacts USING btree (tenant_id, workspace_id, created_at DESC, artifact_id DESC);
CREATE INDEX idx_artifacts_of_agent ON public.artifacts USING btree (tenant_id, workspace_id, agent_id, created_at DESC, artifact_id DESC);
CREATE INDEX idx_artifacts_of_principal ON public.artifacts USING btree (tenant_id, workspace_id, principal, created_at DESC, artifact_id DESC) WHERE (principal IS NOT NULL);
CREATE INDEX idx_artifacts_of_request ON public.artifacts USING btree (tenant_id, workspace_id, request_id) WHERE (request_id IS NOT NULL);
CREATE INDEX idx_artifacts_of_session ON public.artifacts USING btree (tenant_id, workspace_id, session_id, created_at DESC, artifact_id DESC) WHERE (session_id IS NOT NULL);

CREATE TABLE audit_anchors (
    instance_id uuid NOT NULL,
    sequence bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    head_instances uuid[] NOT NULL,
    head_sequences bigint[] NOT NULL,
    head_hashes text[] NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_anchors_pkey PRIMARY KEY (instance_id, sequence)
);
CREATE INDEX idx_audit_anchors_created ON public.audit_anchors USING btree (created_at);

CREATE TABLE audit_checkpoints (
    instance_id uuid NOT NULL,
    sequence bigint NOT NULL,
    published_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT audit_checkpoints_pkey PRIMARY KEY (instance_id)
);

CREATE TABLE audit_instances (
    instance_id uuid NOT NULL,
    number integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    process_id bigint NOT NULL,
    started_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    ended_at timestamp with time zone,
    last_sequence bigint DEFAULT 0 NOT NULL,
    last_hash bytea NOT NULL,
    pruned_sequence bigint DEFAULT 0 NOT NULL,
    pruned_hash bytea NOT NULL,
    pruned_tree bytea[] DEFAULT '{}'::bytea[],
    CONSTRAINT audit_instances_pkey PRIMARY KEY (instance_id),
    CONSTRAINT audit_instances_number_key UNIQUE (number)
);
CREATE INDEX idx_audit_instances_ended ON public.audit_instances USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX idx_audit_instances_open ON public.audit_instances USING btree (number) WHERE (ended_at IS NULL);

CREATE TABLE audit_rollup (
    tenant_id character varying(100) NOT NULL,
    grain character varying(10) NOT NULL,
    agent_id character varying(100) NOT NULL,
    tool_name character varying(200) NOT NULL,
    since timestamp with time zone NOT NULL,
    kind character varying(20) NOT NULL,
    status character varying(20) NOT NULL,
    allowed boolean NOT NULL,
    error_code character varying(50) NOT NULL,
    records bigint NOT NULL,
    last_at timestamp with time zone NOT NULL,
    timed bigint NOT NULL,
    duration_ms bigint NOT NULL,
    cost numeric NOT NULL,
    CONSTRAINT audit_rollup_grain_check CHECK (((grain)::text = ANY ((ARRAY['hour'::character varying, 'tool_hour'::character varying, 'cell_hour'::character varying, 'tool_day'::character varying, 'agent_day'::character varying])::text[]))),
    CONSTRAINT audit_rollup_pkey PRIMARY KEY (tenant_id, grain, agent_id, tool_name, since, kind, status, allowed, error_code)
);
CREATE INDEX idx_audit_rollup_time ON public.audit_rollup USING btree (tenant_id, grain, since);

CREATE TABLE audit_rollup_positions (
    instance_id uuid NOT NULL,
    sequence bigint NOT NULL,
    CONSTRAINT audit_rollup_positions_pkey PRIMARY KEY (instance_id)
);

CREATE TABLE console_sessions (
    session_hash bytea NOT NULL,
    tenant_id character varying(100) NOT NULL,
    key_id uuid,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    person_id uuid,
    groups text[] DEFAULT '{}'::text[] NOT NULL,
    token_key_id character varying(16),
    token_sealed bytea,
    CONSTRAINT console_sessions_owner CHECK (((key_id IS NULL) <> (person_id IS NULL))),
    CONSTRAINT console_sessions_session_hash_check CHECK ((octet_length(session_hash) = 32)),
    CONSTRAINT console_sessions_token CHECK (((token_key_id IS NULL) = (token_sealed IS NULL))),
    CONSTRAINT console_sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(key_id) ON DELETE CASCADE,
    CONSTRAINT console_sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE,
    CONSTRAINT console_sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT console_sessions_pkey PRIMARY KEY (session_hash)
);
CREATE INDEX idx_console_sessions_key ON public.console_sessions USING btree (key_id, created_at);
CREATE INDEX idx_console_sessions_person ON public.console_sessions USING btree (person_id, created_at);
CREATE INDEX idx_console_sessions_seen ON public.console_sessions USING btree (last_seen_at);

CREATE TABLE external_tool_versions (
    tenant_id character varying(100) NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT external_tool_versions_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE external_tools (
    tenant_id character varying(100) NOT NULL,
    name character varying(128) NOT NULL,
    description character varying(2000) NOT NULL,
    input_schema text NOT NULL,
    capability character varying(100) NOT NULL,
    danger character varying(20) NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_by character varying(200) NOT NULL,
    CONSTRAINT external_tools_danger_check CHECK (((danger)::text = ANY ((ARRAY['safe'::character varying, 'dangerous'::character varying])::text[]))),
    CONSTRAINT external_tools_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT external_tools_pkey PRIMARY KEY (tenant_id, name)
);
CREATE TRIGGER external_tools_changed AFTER INSERT OR DELETE OR UPDATE ON public.external_tools FOR EACH ROW EXECUTE FUNCTION external_tools_changed();

CREATE TABLE grant_uses (
    uses_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    tenant_id character varying(100) NOT NULL,
    agent_permission_id bigint,
    group_permission_id bigint,
    max_uses integer NOT NULL,
    uses integer DEFAULT 0 NOT NULL,
    CONSTRAINT grant_uses_check CHECK (((uses >= 0) AND (uses <= max_uses))),
    CONSTRAINT grant_uses_check1 CHECK ((num_nonnulls(agent_permission_id, group_permission_id) = 1)),
    CONSTRAINT grant_uses_max_uses_check CHECK ((max_uses > 0)),
    CONSTRAINT grant_uses_agent_permission_id_fkey FOREIGN KEY (agent_permission_id) REFERENCES agent_tool_permissions(id) ON DELETE CASCADE,
    CONSTRAINT grant_uses_group_permission_id_fkey FOREIGN KEY (group_permission_id) REFERENCES group_tool_permissions(id) ON DELETE CASCADE,
    CONSTRAINT grant_uses_pkey PRIMARY KEY (uses_id),
    CONSTRAINT grant_uses_agent_permission_id_key UNIQUE (agent_permission_id),
    CONSTRAINT grant_uses_group_permission_id_key UNIQUE (group_permission_id)
);
CREATE INDEX idx_grant_uses_tenant ON public.grant_uses USING btree (tenant_id);

CREATE TABLE group_tool_permissions (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    tenant_id character varying(100) NOT NULL,
    group_id character varying(100) NOT NULL,
    tool_name character varying(200) NOT NULL,
    allowed boolean DEFAULT false NOT NULL,
    requires_approval boolean DEFAULT false NOT NULL,
    expires_at timestamp with time zone,
    condition text,
    condition_examples json,
    max_uses integer,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_by character varying(100),
    notes text,
    CONSTRAINT group_tool_permissions_check CHECK ((allowed OR (expires_at IS NULL))),
    CONSTRAINT group_tool_permissions_max_uses_check CHECK ((max_uses > 0)),
    CONSTRAINT group_tool_permissions_tenant_id_group_id_fkey FOREIGN KEY (tenant_id, group_id) REFERENCES agent_groups(tenant_id, group_id) ON DELETE CASCADE,
    CONSTRAINT group_tool_permissions_pkey PRIMARY KEY (id),
    CONSTRAINT group_tool_permissions_tenant_id_group_id_tool_name_key UNIQUE (tenant_id, group_id, tool_name)
);
CREATE INDEX idx_group_permissions_expiry ON public.group_tool_permissions USING btree (tenant_id, expires_at) WHERE (expires_at IS NOT NULL);
CREATE TRIGGER group_tool_permissions_deleted AFTER DELETE ON public.group_tool_permissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER group_tool_permissions_inserted AFTER INSERT ON public.group_tool_permissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER group_tool_permissions_truncated AFTER TRUNCATE ON public.group_tool_permissions FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER group_tool_permissions_updated AFTER UPDATE ON public.group_tool_permissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed();
CREATE TRIGGER group_tool_permissions_updated_at BEFORE UPDATE ON public.group_tool_permissions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER group_tool_permissions_uses AFTER INSERT OR UPDATE ON public.group_tool_permissions FOR EACH ROW EXECUTE FUNCTION restart_group_grant_uses();

CREATE TABLE instances (
    instance_id uuid NOT NULL,
    number integer GENERATED ALWAYS AS IDENTITY NOT NULL,
    host text NOT NULL,
    process_id bigint NOT NULL,
    started_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    seen_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    places jsonb DEFAULT '{}'::jsonb NOT NULL,
    setting_key bytea,
    CONSTRAINT instances_pkey PRIMARY KEY (instance_id),
    CONSTRAINT instances_number_key UNIQUE (number)
);

CREATE TABLE key_agents (
    key_id uuid NOT NULL,
    tenant_id character varying(100) NOT NULL,
    agent_id character varying(100) NOT NULL,
    CONSTRAINT key_agents_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(key_id) ON DELETE CASCADE,
    CONSTRAINT key_agents_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, agent_id) ON DELETE CASCADE,
    CONSTRAINT key_agents_pkey PRIMARY KEY (key_id, agent_id)
);
CREATE INDEX idx_key_agents_agent ON public.key_agents USING btree (tenant_id, agent_id);
CREATE TRIGGER key_agents_deleted AFTER DELETE ON public.key_agents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();

CREATE TABLE key_versions (
    tenant_id character varying(100) NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT key_versions_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE login_requests (
    state_hash bytea NOT NULL,
    browser_hash bytea NOT NULL,
    network character varying(100) NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    redirect_uri text NOT NULL,
    return_to character varying(1000) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT login_requests_browser_hash_check CHECK ((octet_length(browser_hash) = 32)),
    CONSTRAINT login_requests_state_hash_check CHECK ((octet_length(state_hash) = 32)),
    CONSTRAINT login_requests_pkey PRIMARY KEY (state_hash)
);
CREATE INDEX idx_login_requests_age ON public.login_requests USING btree (expires_at);
CREATE INDEX idx_login_requests_network ON public.login_requests USING btree (network, expires_at);

CREATE TABLE mcp_account_requests (
    state_hash bytea NOT NULL,
    browser_hash bytea NOT NULL,
    login_hash bytea NOT NULL,
    tenant_id character varying(100) NOT NULL,
    server_name character varying(32) NOT NULL,
    subject character varying(130) NOT NULL,
    key_id character varying(16) NOT NULL,
    sealed bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT mcp_account_requests_browser_hash_check CHECK ((octet_length(browser_hash) = 32)),
    CONSTRAINT mcp_account_requests_login_hash_check CHECK ((octet_length(login_hash) = 32)),
    CONSTRAINT mcp_account_requests_state_hash_check CHECK ((octet_length(state_hash) = 32)),
    CONSTRAINT mcp_account_requests_tenant_id_server_name_fkey FOREIGN KEY (tenant_id, server_name) REFERENCES mcp_servers(tenant_id, name) ON DELETE CASCADE,
    CONSTRAINT mcp_account_requests_pkey PRIMARY KEY (state_hash)
);
CREATE INDEX idx_mcp_account_requests_age ON public.mcp_account_requests USING btree (expires_at);
CREATE INDEX idx_mcp_account_requests_login ON public.mcp_account_requests USING btree (login_hash, expires_at);

CREATE TABLE mcp_accounts (
    account_id uuid NOT NULL,
    tenant_id character varying(100) NOT NULL,
    server_name character varying(32) NOT NULL,
    subject character varying(130) NOT NULL,
    key_id character varying(16) NOT NULL,
    sealed bytea NOT NULL,
    issuer text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    renewing_until timestamp with time zone,
    connected_by character varying(100) NOT NULL,
    connected_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    renewed_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT mcp_accounts_tenant_id_server_name_fkey FOREIGN KEY (tenant_id, server_name) REFERENCES mcp_servers(tenant_id, name) ON DELETE CASCADE,
    CONSTRAINT mcp_accounts_pkey PRIMARY KEY (account_id),
    CONSTRAINT mcp_accounts_tenant_id_server_name_subject_key UNIQUE (tenant_id, server_name, subject)
);

CREATE TABLE mcp_oauth_clients (
    tenant_id character varying(100) NOT NULL,
    issuer text NOT NULL,
    redirect_uri text NOT NULL,
    key_id character varying(16) NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT mcp_oauth_clients_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT mcp_oauth_clients_pkey PRIMARY KEY (tenant_id, issuer, redirect_uri)
);

CREATE TABLE mcp_pending_calls (
    tenant_id character varying(100) NOT NULL,
    agent_id character varying(100) NOT NULL,
    principal text NOT NULL,
    request_id character varying(100) NOT NULL,
    tool_name text NOT NULL,
    call_digest bytea,
    withdrawn boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT mcp_pending_calls_pkey PRIMARY KEY (tenant_id, agent_id, request_id)
);
CREATE INDEX idx_mcp_pending_age ON public.mcp_pending_calls USING btree (created_at);
CREATE UNIQUE INDEX idx_mcp_pending_call ON public.mcp_pending_calls USING btree (tenant_id, agent_id, principal, call_digest) WHERE (call_digest IS NOT NULL);

CREATE TABLE mcp_server_versions (
    tenant_id character varying(100) NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT mcp_server_versions_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE mcp_servers (
    tenant_id character varying(100) NOT NULL,
    name character varying(32) NOT NULL,
    source character varying(20) NOT NULL,
    settings jsonb NOT NULL,
    revision bigint DEFAULT nextval('mcp_server_revisions'::regclass) NOT NULL,
    listed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    created_by character varying(100) NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_by character varying(100) NOT NULL,
    CONSTRAINT mcp_servers_source_check CHECK (((source)::text = ANY ((ARRAY['api'::character varying, 'settings'::character varying])::text[]))),
    CONSTRAINT mcp_servers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT mcp_servers_pkey PRIMARY KEY (tenant_id, name)
);
CREATE TRIGGER mcp_servers_deleted AFTER DELETE ON public.mcp_servers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION mcp_servers_changed();
CREATE TRIGGER mcp_servers_inserted AFTER INSERT ON public.mcp_servers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mcp_servers_changed();
CREATE TRIGGER mcp_servers_updated AFTER UPDATE ON public.mcp_servers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mcp_servers_changed();

CREATE TABLE mcp_sessions (
    session_hash bytea NOT NULL,
    tenant_id character varying(100) NOT NULL,
    record text NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_used_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT mcp_sessions_pkey PRIMARY KEY (session_hash)
);
CREATE INDEX idx_mcp_sessions_idle ON public.mcp_sessions USING btree (last_used_at);
CREATE INDEX idx_mcp_sessions_tenant ON public.mcp_sessions USING btree (tenant_id, last_used_at);

CREATE TABLE mcp_tools (
    tenant_id character varying(100) NOT NULL,
    server_name character varying(32) NOT NULL,
    tool_name character varying(128) NOT NULL,
    state character varying(20) NOT NULL,
    agreed_definition text,
    agreed_hash character(64),
    agreed_by character varying(100),
    agreed_at timestamp with time zone,
    waiting_definition text,
    waiting_hash character(64),
    waiting_since timestamp with time zone,
    refused_by character varying(100),
    CONSTRAINT mcp_tools_check CHECK ((((state)::text <> 'agreed'::text) OR ((agreed_definition IS NOT NULL) AND (waiting_definition IS NULL)))),
    CONSTRAINT mcp_tools_check1 CHECK (((agreed_definition IS NULL) = (agreed_hash IS NULL))),
    CONSTRAINT mcp_tools_check2 CHECK (((waiting_definition IS NULL) = (waiting_hash IS NULL))),
    CONSTRAINT mcp_tools_state_check CHECK (((state)::text = ANY ((ARRAY['agreed'::character varying, 'new'::character varying, 'changed'::character varying, 'refused'::character varying, 'gone'::character varying])::text[]))),
    CONSTRAINT mcp_tools_tenant_id_server_name_fkey FOREIGN KEY (tenant_id, server_name) REFERENCES mcp_servers(tenant_id, name) ON DELETE CASCADE,
    CONSTRAINT mcp_tools_pkey PRIMARY KEY (tenant_id, server_name, tool_name)
);
CREATE TRIGGER mcp_tools_deleted AFTER DELETE ON public.mcp_tools REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION mcp_servers_changed();
CREATE TRIGGER mcp_tools_inserted AFTER INSERT ON public.mcp_tools REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mcp_servers_changed();
CREATE TRIGGER mcp_tools_updated AFTER UPDATE ON public.mcp_tools REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mcp_servers_changed();

CREATE TABLE memory_items (
    tenant_id character varying(100) NOT NULL,
    agent_id character varying(100) NOT NULL,
    key character varying(200) NOT NULL,
    value text NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    words tsvector DEFAULT ''::tsvector NOT NULL,
    CONSTRAINT memory_items_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT memory_items_pkey PRIMARY KEY (tenant_id, agent_id, key)
);
CREATE INDEX idx_memory_tags ON public.memory_items USING gin (tags);
CREATE INDEX idx_memory_words ON public.memory_items USING gin (words);

CREATE TABLE people (
    person_id uuid NOT NULL,
    tenant_id character varying(100) NOT NULL,
    issuer text NOT NULL,
    subject character varying(255) NOT NULL,
    name character varying(100) NOT NULL,
    display_name character varying(200) NOT NULL,
    first_login_at timestamp with time zone NOT NULL,
    last_login_at timestamp with time zone NOT NULL,
    CONSTRAINT people_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT people_pkey PRIMARY KEY (person_id),
    CONSTRAINT people_issuer_subject_key UNIQUE (issuer, subject),
    CONSTRAINT people_name_key UNIQUE (name)
);
CREATE INDEX idx_people_tenant ON public.people USING btree (tenant_id, person_id);

CREATE TABLE permission_change_log (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    tenant_id character varying(100) NOT NULL,
    agent_id character varying(100),
    group_id character varying(100),
    tool_name character varying(200) NOT NULL,
    previous_state boolean,
    new_state boolean NOT NULL,
    changed_by character varying(100) NOT NULL,
    changed_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    reason text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT permission_change_log_check CHECK (((agent_id IS NOT NULL) OR (group_id IS NOT NULL))),
    CONSTRAINT permission_change_log_pkey PRIMARY KEY (id)
);
CREATE INDEX idx_permission_changes ON public.permission_change_log USING btree (tenant_id, agent_id, tool_name, changed_at);
CREATE INDEX idx_permission_changes_group ON public.permission_change_log USING btree (tenant_id, group_id, id) WHERE (group_id IS NOT NULL);
CREATE INDEX idx_permission_changes_newest ON public.permission_change_log USING btree (tenant_id, id);
CREATE INDEX idx_permission_changes_tool ON public.permission_change_log USING btree (tenant_id, tool_name, id);

CREATE TABLE permission_template_tools (
    template_id character varying(100) NOT NULL,
    tool_name character varying(200) NOT NULL,
    CONSTRAINT permission_template_tools_template_id_fkey FOREIGN KEY (template_id) REFERENCES permission_templates(template_id) ON DELETE CASCADE,
    CONSTRAINT permission_template_tools_pkey PRIMARY KEY (template_id, tool_name)
);

CREATE TABLE permission_templates (
    template_id character varying(100) NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    CONSTRAINT permission_templates_pkey PRIMARY KEY (template_id),
    CONSTRAINT permission_templates_name_key UNIQUE (name)
);

CREATE TABLE permission_versions (
    tenant_id character varying(100) NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT permission_versions_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE rate_limit_buckets (
    tenant_id character varying(100) NOT NULL,
    agent_id character varying(100) NOT NULL,
    tool_name character varying(200) NOT NULL,
    terms character varying(100) NOT NULL,
    state bytea NOT NULL,
    full_at timestamp with time zone NOT NULL,
    CONSTRAINT rate_limit_buckets_pkey PRIMARY KEY (tenant_id, agent_id, tool_name, terms)
);

CREATE TABLE request_keys (
    tenant_id character varying(100) NOT NULL,
    request_id character varying(100) NOT NULL,
    body_digest bytea NOT NULL,
    outcome text,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    completed_at timestamp with time zone,
    agent_id character varying(100) NOT NULL,
    held_by uuid,
    permit_until timestamp with time zone,
    CONSTRAINT request_keys_pkey PRIMARY KEY (tenant_id, agent_id, request_id)
);
CREATE INDEX idx_request_keys_age ON public.request_keys USING btree (created_at);
CREATE INDEX idx_request_keys_open_permits ON public.request_keys USING btree (permit_until) WHERE ((permit_until IS NOT NULL) AND (completed_at IS NULL));
CREATE INDEX idx_request_keys_permits ON public.request_keys USING btree (tenant_id, request_id) WHERE (permit_until IS NOT NULL);

CREATE TABLE scheduled_tasks (
    task_name text NOT NULL,
    task_instance text NOT NULL,
    task_data bytea,
    execution_time timestamp with time zone NOT NULL,
    picked boolean NOT NULL,
    picked_by text,
    last_success timestamp with time zone,
    last_failure timestamp with time zone,
    consecutive_failures integer,
    last_heartbeat timestamp with time zone,
    version bigint NOT NULL,
    priority smallint,
    CONSTRAINT scheduled_tasks_pkey PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX idx_scheduled_tasks_due ON public.scheduled_tasks USING btree (execution_time);
CREATE INDEX idx_scheduled_tasks_heartbeat ON public.scheduled_tasks USING btree (last_heartbeat);

CREATE TABLE session_tokens (
    tenant_id character varying(100) NOT NULL,
    session_id character varying(100) NOT NULL,
    tokens bigint NOT NULL,
    CONSTRAINT session_tokens_tokens_check CHECK ((tokens >= 0)),
    CONSTRAINT session_tokens_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES sessions(tenant_id, session_id) ON DELETE CASCADE,
    CONSTRAINT session_tokens_pkey PRIMARY KEY (tenant_id, session_id)
);

CREATE TABLE sessions (
    tenant_id character varying(100) NOT NULL,
    session_id character varying(100) NOT NULL,
    agent_id character varying(100),
    workspace_id character varying(100),
    policy_bundle jsonb NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    ended_at timestamp with time zone,
    created_by text,
    CONSTRAINT sessions_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, agent_id) ON DELETE CASCADE,
    CONSTRAINT sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id),
    CONSTRAINT sessions_pkey PRIMARY KEY (tenant_id, session_id)
);
CREATE INDEX idx_sessions_agent ON public.sessions USING btree (tenant_id, agent_id);
CREATE INDEX idx_sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX idx_sessions_newest ON public.sessions USING btree (tenant_id, created_at, session_id);
CREATE TRIGGER sessions_updated_at BEFORE UPDATE ON public.sessions FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE standing_approvals (
    standing_id uuid DEFAULT gen_random_uuid() NOT NULL,
    tenant_id character varying(100) NOT NULL,
    agent_id character varying(100) NOT NULL,
    tool_name character varying(200) NOT NULL,
    session_id character varying(100),
    approval_id uuid NOT NULL,
    granted_by text NOT NULL,
    reason text,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    revoked_by character varying(200),
    causes jsonb DEFAULT '[]'::jsonb NOT NULL,
    granters text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT standing_approvals_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, agent_id) ON DELETE CASCADE,
    CONSTRAINT standing_approvals_pkey PRIMARY KEY (standing_id)
);
CREATE INDEX idx_standing_approvals ON public.standing_approvals USING btree (tenant_id, agent_id, tool_name) WHERE (revoked_at IS NULL);
CREATE INDEX idx_standing_approvals_list ON public.standing_approvals USING btree (tenant_id, created_at, standing_id);

CREATE TABLE tenants (
    tenant_id character varying(100) NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT tenants_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE tool_audit_logs (
    id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    tenant_id character varying(100) NOT NULL,
    request_id character varying(100) NOT NULL,
    "timestamp" timestamp with time zone NOT NULL,
    agent_id character varying(100) NOT NULL,
    session_id character varying(100),
    workspace_id character varying(100) NOT NULL,
    project_id character varying(100),
    tool_name character varying(200) NOT NULL,
    operation character varying(100) NOT NULL,
    parameters jsonb NOT NULL,
    allowed boolean NOT NULL,
    status character varying(20) NOT NULL,
    error_code character varying(50),
    denial_reason text,
    approved_by text,
    execution_time_ms integer,
    result_summary text,
    cost numeric(18,6),
    instance_id uuid NOT NULL,
    sequence bigint NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    principal character varying(200),
    approved_at timestamp with time zone,
    approval_reason text,
    approval_rule_id character varying(100),
    digest_version smallint DEFAULT 1 NOT NULL,
    kind character varying(20) DEFAULT 'call'::character varying NOT NULL,
    correlation_id character varying(200),
    conversation_id character varying(200),
    message_id character varying(200),
    tool_call_id character varying(200),
    task_id character varying(200),
    step_id character varying(200),
    client_timestamp timestamp with time zone,
    arguments_digest character varying(200),
    masked_characters integer,
    client character varying(200),
    executed_by character varying(20),
    undoes character varying(100),
    CONSTRAINT tool_audit_logs_pkey PRIMARY KEY (instance_id, sequence, "timestamp")
) PARTITION BY RANGE ("timestamp");
CREATE INDEX idx_audit_administration ON ONLY public.tool_audit_logs USING btree (tenant_id, "timestamp", id) WHERE ((kind)::text = 'administration'::text);
CREATE INDEX idx_audit_agent ON ONLY public.tool_audit_logs USING btree (tenant_id, agent_id, "timestamp", id);
CREATE INDEX idx_audit_conversation ON ONLY public.tool_audit_logs USING btree (tenant_id, conversation_id, "timestamp", id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX idx_audit_correlation ON ONLY public.tool_audit_logs USING btree (tenant_id, correlation_id) WHERE (correlation_id IS NOT NULL);
CREATE INDEX idx_audit_error ON ONLY public.tool_audit_logs USING btree (tenant_id, error_code, "timestamp", id) WHERE (error_code IS NOT NULL);
CREATE INDEX idx_audit_id ON ONLY public.tool_audit_logs USING brin (id) WITH (pages_per_range='256', autosummarize='on');
CREATE INDEX idx_audit_project ON ONLY public.tool_audit_logs USING btree (tenant_id, project_id, "timestamp", id) WHERE (project_id IS NOT NULL);
CREATE INDEX idx_audit_request ON ONLY public.tool_audit_logs USING btree (tenant_id, request_id);
CREATE INDEX idx_audit_session ON ONLY public.tool_audit_logs USING btree (tenant_id, session_id, "timestamp", id) WHERE (session_id IS NOT NULL);
CREATE INDEX idx_audit_status ON ONLY public.tool_audit_logs USING btree (tenant_id, status, "timestamp", id) WHERE ((status)::text <> 'COMPLETED'::text);
CREATE INDEX idx_audit_timestamp ON ONLY public.tool_audit_logs USING btree (tenant_id, "timestamp", id);
CREATE INDEX idx_audit_tool ON ONLY public.tool_audit_logs USING btree (tenant_id, tool_name, "timestamp", id);
CREATE INDEX idx_audit_undoes ON ONLY public.tool_audit_logs USING btree (tenant_id, undoes) WHERE (undoes IS NOT NULL);

CREATE TABLE tool_audit_logs_rest (
    id bigint DEFAULT nextval('tool_audit_logs_id_seq'::regclass) NOT NULL,
    tenant_id character varying(100) NOT NULL,
    request_id character varying(100) NOT NULL,
    "timestamp" timestamp with time zone NOT NULL,
    agent_id character varying(100) NOT NULL,
    session_id character varying(100),
    workspace_id character varying(100) NOT NULL,
    project_id character varying(100),
    tool_name character varying(200) NOT NULL,
    operation character varying(100) NOT NULL,
    parameters jsonb NOT NULL,
    allowed boolean NOT NULL,
    status character varying(20) NOT NULL,
    error_code character varying(50),
    denial_reason text,
    approved_by text,
    execution_time_ms integer,
    result_summary text,
    cost numeric(18,6),
    instance_id uuid NOT NULL,
    sequence bigint NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    principal character varying(200),
    approved_at timestamp with time zone,
    approval_reason text,
    approval_rule_id character varying(100),
    digest_version smallint DEFAULT 1 NOT NULL,
    kind character varying(20) DEFAULT 'call'::character varying NOT NULL,
    correlation_id character varying(200),
    conversation_id character varying(200),
    message_id character varying(200),
    tool_call_id character varying(200),
    task_id character varying(200),
    step_id character varying(200),
    client_timestamp timestamp with time zone,
    arguments_digest character varying(200),
    masked_characters integer,
    client character varying(200),
    executed_by character varying(20),
    undoes character varying(100),
    CONSTRAINT tool_audit_logs_kind_check CHECK (((kind)::text = ANY ((ARRAY['call'::character varying, 'administration'::character varying])::text[]))),
    CONSTRAINT tool_audit_logs_status_check CHECK (((status)::text = ANY ((ARRAY['COMPLETED'::character varying, 'FAILED'::character varying, 'REFUSED'::character varying, 'INTERRUPTED'::character varying])::text[]))),
    CONSTRAINT tool_audit_logs_rest_pkey PRIMARY KEY (instance_id, sequence, "timestamp")
);
CREATE INDEX idx_audit_rest_error ON public.tool_audit_logs_rest USING btree (tenant_id, error_code, "timestamp", id) WHERE (error_code IS NOT NULL);
CREATE INDEX idx_audit_rest_id ON public.tool_audit_logs_rest USING btree (id);
CREATE INDEX idx_audit_rest_session ON public.tool_audit_logs_rest USING btree (tenant_id, session_id, "timestamp", id) WHERE (session_id IS NOT NULL);
CREATE INDEX idx_audit_rest_status ON public.tool_audit_logs_rest USING btree (tenant_id, status, "timestamp", id) WHERE ((status)::text <> 'COMPLETED'::text);
CREATE INDEX idx_audit_rest_time ON public.tool_audit_logs_rest USING btree ("timestamp");
CREATE INDEX idx_audit_rest_undoes ON public.tool_audit_logs_rest USING btree (tenant_id, undoes) WHERE (undoes IS NOT NULL);
CREATE INDEX tool_audit_logs_rest_tenant_id_agent_id_timestamp_id_idx ON public.tool_audit_logs_rest USING btree (tenant_id, agent_id, "timestamp", id);
CREATE INDEX tool_audit_logs_rest_tenant_id_conversation_id_timestamp_id_idx ON public.tool_audit_logs_rest USING btree (tenant_id, conversation_id, "timestamp", id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX tool_audit_logs_rest_tenant_id_correlation_id_idx ON public.tool_audit_logs_rest USING btree (tenant_id, correlation_id) WHERE (correlation_id IS NOT NULL);
CREATE INDEX tool_audit_logs_rest_tenant_id_project_id_timestamp_id_idx ON public.tool_audit_logs_rest USING btree (tenant_id, project_id, "timestamp", id) WHERE (project_id IS NOT NULL);
CREATE INDEX tool_audit_logs_rest_tenant_id_request_id_idx ON public.tool_audit_logs_rest USING btree (tenant_id, request_id);
CREATE INDEX tool_audit_logs_rest_tenant_id_timestamp_id_idx ON public.tool_audit_logs_rest USING btree (tenant_id, "timestamp", id);
CREATE INDEX tool_audit_logs_rest_tenant_id_timestamp_id_idx1 ON public.tool_audit_logs_rest USING btree (tenant_id, "timestamp", id) WHERE (NOT allowed);
CREATE INDEX tool_audit_logs_rest_tenant_id_timestamp_id_idx2 ON public.tool_audit_logs_rest USING btree (tenant_id, "timestamp", id) WHERE ((kind)::text = 'administration'::text);
CREATE INDEX tool_audit_logs_rest_tenant_id_tool_name_timestamp_id_idx ON public.tool_audit_logs_rest USING btree (tenant_id, tool_name, "timestamp", id);

CREATE TABLE tool_intents (
    instance_id uuid NOT NULL,
    number bigint NOT NULL,
    tenant_id character varying(100) NOT NULL,
    request_id character varying(100) NOT NULL,
    "timestamp" timestamp with time zone NOT NULL,
    agent_id character varying(100) NOT NULL,
    session_id character varying(100),
    workspace_id character varying(100) NOT NULL,
    project_id character varying(100),
    tool_name character varying(200) NOT NULL,
    operation character varying(100) NOT NULL,
    parameters jsonb NOT NULL,
    keyed boolean DEFAULT false NOT NULL,
    principal character varying(200),
    kind character varying(20) DEFAULT 'call'::character varying NOT NULL,
    correlation_id character varying(200),
    conversation_id character varying(200),
    message_id character varying(200),
    tool_call_id character varying(200),
    task_id character varying(200),
    step_id character varying(200),
    client_timestamp timestamp with time zone,
    arguments_digest character varying(200),
    masked_characters integer,
    client character varying(200),
    permit_until timestamp with time zone,
    approved_by text,
    approved_at timestamp with time zone,
    approval_reason text,
    approval_rule_id character varying(100),
    executed_by character varying(20),
    undoes character varying(100),
    CONSTRAINT tool_intents_pkey PRIMARY KEY (instance_id, number)
);
CREATE INDEX idx_tool_intents_permits ON public.tool_intents USING btree (tenant_id, request_id) WHERE (permit_until IS NOT NULL);
