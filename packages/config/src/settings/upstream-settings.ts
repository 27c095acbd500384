import { accountsOf } from './account-settings.ts';
import type { Config } from '../schema/schema.ts';

/** Returns the upstream settings (`UpstreamsSettings` in `packages/upstreams`), which the API and the workers share. */
export function upstreamSettings(config: Config) {
  const { timeouts, limits, upstreams, download } = config;
  return {
    upstreams: accountsOf(upstreams),
    timeouts: {
      submitMs: timeouts.submit_ms,
      pollMs: timeouts.poll_ms,
      imageMs: timeouts.image_ms,
      lookUpMs: timeouts.look_up_ms,
      downloadIdleMs: timeouts.download_idle_ms,
      textFirstMs: timeouts.text_first_ms,
      textIdleMs: timeouts.text_idle_ms,
    },
    // One byte more than the content store accepts, so that the store detects a larger file and fails the task.
    limits: { downloadBytes: limits.download_bytes + 1, inputBytes: limits.upload_bytes + 1 },
    allow: download.allow,
  };
}
