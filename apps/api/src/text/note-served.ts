import type { TextTarget, Usage } from '@sluice/canonical';
import { meterUsage } from './meter-text.ts';
import type { TextCall, TextRoom } from './text-room.ts';

/** What a call that is no plain answer, such as a compaction, came from and cost. */
export interface ServedCall {
  target: Pick<TextTarget, 'upstream' | 'model'>;
  relayed: boolean;
  usage?: Usage;
}

/** Tells the call's log line and the metrics of it. */
export function noteServed(room: TextRoom, { request }: TextCall, { target, relayed, usage }: ServedCall): void {
  const { upstream, model } = target;
  request.served = { upstream, upstream_model: model, relayed, usage: () => usage };
  if (usage) meterUsage(room, upstream, usage);
}
