import { GatewayError, type Generation, type TextTarget, type Usage } from '@sluice/canonical';
import { withFallback } from '../routing/with-fallback.ts';
import { sealCompaction } from '../text-state/compaction.ts';
import { compactionRequest } from '../text-state/compaction-request.ts';
import { inlineMedia } from './inline-media.ts';
import { callUpstream, expectSuccess } from './open-answer.ts';
import type { TextPlan } from './plan-text.ts';
import type { TextRoom } from './text-room.ts';
import type { Turn } from './turn.ts';
import { failedAttempt } from './upstream-failure.ts';

/** A conversation in short, sealed so that only this gateway can read it. */
export interface SealedSummary {
  sealed: string;
  usage?: Usage;
  /** Who wrote it. */
  target: TextTarget;
}

/**
 * Has a conversation summarised by its own model.
 * @throws GatewayError `provider_error` for an empty summary, or what the upstreams said
 */
export async function summarise(room: TextRoom, plan: TextPlan, turn: Turn): Promise<SealedSummary> {
  const { breakers, secret, now } = room;
  const wish = compactionRequest((await turn.wish()).generation);
  const { generation, target: writer } = await withFallback(
    plan.targets,
    async (routed) => {
      const { target } = routed;
      const protocol = room.protocols[target.protocol];
      const request =
        target.protocol === 'generative-content' ? await inlineMedia(wish, room.fetchInput, turn.signal) : wish;
      const body = JSON.stringify(protocol.encodeRequest(request, target, () => undefined));
      const asked = { ...turn, request: { ...turn.request, stream: false } };
      const answer = await callUpstream(routed, body, asked, 'generate');
      await expectSuccess(routed, answer, protocol, false);
      try {
        const value: unknown = JSON.parse(Buffer.from(await answer.body.collect(room.answerBytes)).toString());
        const decoded = protocol.decodeResponse(value, { target, newId: room.newId });
        if (summaryOf(decoded) === '') {
          throw new GatewayError('provider_error', 'The model gave no summary.', { retryable: true });
        }
        return { generation: decoded, target };
      } catch (error) {
        throw failedAttempt(error);
      }
    },
    { breakers, signal: turn.signal },
  );
  const meta = { model: plan.request.model, createdAt: Math.floor(now() / 1_000) };
  const sealed = sealCompaction(secret, summaryOf(generation), meta);
  return { sealed, target: writer, ...(generation.usage && { usage: generation.usage }) };
}

function summaryOf({ choices }: Generation): string {
  const content = choices[0]?.content ?? [];
  return content
    .filter((block) => block.type === 'text')
    .map(({ text }) => text)
    .join('')
    .trim();
}
