-- Takes back the first schema; everything is lost with it.
drop table audit, admin_token, sweep_run, provider_token, channel, change, fanout, activity, follow, device, feed,
    alert_told, publication, journal, match, lease, bucket_owner, node, meta;
drop sequence node_term;
