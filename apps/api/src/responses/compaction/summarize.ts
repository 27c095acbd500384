import { GatewayError, type Generation, type Loss, type TextTarget, type Usage } from '@sluice/canonical';
import type { RoutedTarget } from '../../routing/targets.ts';
import { encodeCompaction } from './compaction-token.ts';
import { compactionRequest } from './compaction-request.ts';
import { inlineMedia } from '../../generation/inline-media.ts';
import { callUpstream, expectSuccess } from '../../generation/request-completion.ts';
import type { GenerationDeps } from '../../generation/text-services.ts';
import type { TextContext } from '../../generation/text-context.ts';
import { failedAttempt } from '../../routing/upstream-failure.ts';

/** A conversation in short, sealed so that only this gateway can read it. */
export interface EncodedSummary {
  encryptedContent: string;
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
export async function summarize(
  deps: GenerationDeps,
  context: TextContext,
  routed: RoutedTarget,
): Promise<EncodedSummary> {
  const { target } = routed;
  const protocol = deps.protocols[target.protocol];
  const { generation, losses: unread } = await context.params();
  const losses: Loss[] = [...unread];
  const params = compactionRequest(generation);
  const request =
    target.protocol === 'generative-content' ? await inlineMedia(params, deps.fetchInput, context.signal) : params;
  const body = {
    ...protocol.encodeRequest(request, target, (loss) => losses.push(loss)),
    ...(target.protocol === 'responses' && previousAtVendor(context)),
  };
  const asked = { ...context, request: { ...context.request, stream: false } };
  const response = await callUpstream(routed, JSON.stringify(body), asked, 'generate');
  await expectSuccess(routed, response, protocol, false);
  try {
    const value: unknown = JSON.parse(Buffer.from(await response.body.collect(deps.responseBytes)).toString());
    const decoded = protocol.decodeResponse(value, { target, newId: deps.newId });
    const summary = summaryOf(decoded);
    if (summary === '') throw new GatewayError('provider_error', 'The model gave no summary.', { retryable: true });
    const meta = { model: context.request.model, createdAt: Math.floor(deps.now() / 1_000) };
    const encryptedContent = encodeCompaction(deps.secret, summary, meta);
    return { encryptedContent, target, losses, ...(decoded.usage && { usage: decoded.usage }) };
  } catch (error) {
    throw failedAttempt(error);
  }
}

/** The answer that its vendor keeps is part of the conversation; the plan leads nowhere else then. */
function previousAtVendor({ request }: TextContext): Record<string, unknown> {
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
