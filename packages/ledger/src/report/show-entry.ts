import { isUnpriced } from '../entry/is-unpriced.ts';
import type { LedgerEntry, LedgerUsage } from '../entry/ledger-entry.ts';
import { dollarsOf } from './dollars.ts';

/** An entry as the admin API shows it. Fields that an entry lacks are absent. */
export function showEntry(entry: LedgerEntry): ShownLedgerEntry {
  const { usage, costNanos } = entry;
  return {
    object: 'ledger.entry',
    id: entry.id,
    type: entry.type,
    at_ms: entry.at,
    request_id: entry.requestId,
    task_id: entry.taskId,
    key: entry.key,
    user: entry.user,
    labels: entry.labels,
    endpoint: entry.endpoint,
    protocol: entry.protocol,
    model: entry.model,
    upstream: entry.upstream,
    upstream_model: entry.upstreamModel,
    credential: entry.credential,
    attempts: entry.attempts?.map(({ upstreamModel, costNanos: nanos, ...attempt }) => ({
      ...attempt,
      upstream_model: upstreamModel,
      ...(nanos !== undefined && { cost_usd: dollarsOf(nanos) }),
    })),
    relayed: entry.isRelayed,
    dropped: entry.dropped,
    trace_id: entry.traceId,
    status: entry.status,
    error_code: entry.errorCode,
    duration_ms: entry.durationMs,
    first_event_ms: entry.firstEventMs,
    queue_ms: entry.queueMs,
    run_ms: entry.runMs,
    usage: usage && showUsage(usage),
    cost_usd: costNanos === undefined ? undefined : dollarsOf(costNanos),
    unpriced: isUnpriced(entry),
    price_lines: entry.lines?.map(({ unit, quantity, nanos }) => ({ unit, quantity, cost_usd: dollarsOf(nanos) })),
    price_source: entry.priceSource,
  };
}

export interface ShownLedgerEntry extends Readonly<Record<string, unknown>> {
  id: string;
  type: LedgerEntry['type'];
}

function showUsage(usage: LedgerUsage): Record<string, unknown> {
  return {
    input_tokens: usage.inputTokens,
    cached_tokens: usage.cachedTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    cache_write_1h_tokens: usage.cacheWrite1hTokens,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
    audio_input_tokens: usage.audioInputTokens,
    audio_output_tokens: usage.audioOutputTokens,
    image_input_tokens: usage.imageInputTokens,
    image_output_tokens: usage.imageOutputTokens,
    service_tier: usage.serviceTier,
    audio_seconds: usage.audioSeconds,
    characters: usage.characters,
    searches: usage.searches,
    images: usage.images,
    image_size: usage.imageSize,
    image_quality: usage.imageQuality,
    video_seconds: usage.videoSeconds,
    resolution: usage.resolution,
    has_audio: usage.hasAudio,
  };
}
