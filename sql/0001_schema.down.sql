-- Drops the whole schema with all its data.
drop view shown_match, ended_match, match_state, bucket_term;
drop function forget_audit;
drop table log_level, flag, audit, audit_chain, admin_token, sweep_run, fanout, provider_token, channel_request, channel, change_dropped, change, activity, follow,
    token_owner, device, revoked_alert, correction, announced_moment, publication, journal, match_override, match, alias, feed, lease, bucket_owner, node, meta;
drop sequence node_term;
