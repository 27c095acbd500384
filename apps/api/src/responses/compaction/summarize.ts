import { GatewayError, type Generation, type Loss, type TextTarget, type Usage } from '@sluice/canonical';
import type { RoutedTarget } from '../../routing/targets.ts';
import { encodeCompaction } from './compaction-token.ts';
import { compactionRequest } from './compaction-request.ts';
import { inlineMedia } from '../../generation/inline-media.ts';
import { callUpstream, expectSuccess } from '../../generation/request-completion.ts';
import type { TextServices } from '../../generation/text-services.ts';
import type { Turn } from '../../generation/text-context.ts';
import { failedAttempt } from '../../routing/upstream-failure.ts';

/** A conversation in short, sealed so that only this gateway can read it. */
export interface EncodedSummary {
  sealed: string;
  usage?: Usage;
  /** Who wrote it. */
  target: TextTarget;
  /** What of the conversation could not be carried there. */
  losses: readonly Loss[];
}

/**
 * Has a conversation summarised by its own model at one upstream.
 * @throws AttemptError when another may be asked; GatewayError `provider_error` in it for an empty summary
 */
export async function summarise(services: TextServices, turn: Turn, routed: RoutedTarget): Promise<EncodedSummary> {
  const { target } = routed;
  const protocol = services.protocols[target.protocol];
  const { generation, losses: unread } = await turn.params();
  const losses: Loss[] = [...unread];
  const params = compactionRequest(generation);
  const request =
    target.protocol === 'generative-content' ? await inlineMedia(params, services.fetchInput, turn.signal) : params;
  const body = {
    ...protocol.encodeRequest(request, target, (loss) => losses.push(loss)),
    ...(target.protocol === 'responses' && keptThere(turn)),
  };
  const asked = { ...turn, request: { ...turn.request, stream: false } };
  const response = await callUpstream(routed, JSON.stringify(body), asked, 'generate');
  await expectSuccess(routed, response, protocol, false);
  try {
    const value: unknown = JSON.parse(Buffer.from(await response.body.collect(services.responseBytes)).toString());
    const decoded = protocol.decodeResponse(value, { target, newId: services.newId });
    const summary = summaryOf(decoded);
    if (summary === '') throw new GatewayError('provider_error', 'The model gave no summary.', { retryable: true });
    const meta = { model: turn.request.model, createdAt: Math.floor(services.now() / 1_000) };
    const sealed = encodeCompaction(services.secret, summary, meta);
    return { sealed, target, losses, ...(decoded.usage && { usage: decoded.usage }) };
  } catch (error) {
    throw failedAttempt(error);
  }
}

/** The answer that its vendor keeps is part of the conversation; the plan leads nowhere else then. */
function keptThere({ request }: Turn): Record<string, unknown> {
  const previous = request.member('previous_response_id');
  return typeof previous === 'string' ? { previous_response_id: previous } : {};
}

function summaryOf({ choices }: Generation): string {
  const content = choices[0]?.content ?? [];
  return content
    .filter((block) => block.type === 'text')
    .map(({ text }) => text)
    .join('')
    .trim();
}
