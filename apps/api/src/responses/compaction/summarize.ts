import {
  GatewayError,
  type Generation,
  type Loss,
  type TextTarget,
  type Usage,
  UPSTREAM_MESSAGES,
} from '@sluice/canonical';
import type { AttemptTrace } from '@sluice/telemetry';
import { callUpstream, expectSuccess } from '../../generation/call-upstream.ts';
import type { GenerationDeps } from '../../generation/generation-deps.ts';
import { inlineMedia } from '../../generation/inline-media.ts';
import type { TextContext } from '../../generation/text-context.ts';
import { UPSTREAM_PROTOCOLS } from '../../generation/text-protocols.ts';
import type { RoutedTarget } from '../../routing/targets.ts';
import { failedAttempt } from '../../routing/upstream-failure.ts';
import { compactionRequest } from './compaction-request.ts';
import { encodeCompaction } from './compaction-token.ts';

export interface EncodedSummary {
  encryptedContent: string;
  usage?: Usage;
  target: TextTarget;
  losses: readonly Loss[];
}

export interface SummarizeDeps extends Pick<GenerationDeps, 'fetchInput' | 'responseBytes' | 'newId' | 'now'> {
  secret: string;
}

/** @throws AttemptError if a fallback is possible; its error is `provider_error` if the summary is empty */
export async function summarize(
  deps: SummarizeDeps,
  context: TextContext,
  routed: RoutedTarget,
  trace?: AttemptTrace,
): Promise<EncodedSummary> {
  const { target } = routed;
  const protocol = UPSTREAM_PROTOCOLS[target.protocol];
  const { generation, losses: decodeLosses } = await context.decoded();
  const losses: Loss[] = [...decodeLosses];
  const compaction = compactionRequest(generation);
  const request = await inlineMedia(compaction, target.protocol, deps.fetchInput, context.signal);
  const body = {
    ...protocol.encodeRequest(request, target, (loss) => losses.push(loss)),
    ...(target.protocol === 'responses' && previousAtVendor(context)),
  };
  const unstreamed = { ...context, request: { ...context.request, stream: false } };
  const response = await callUpstream(routed, JSON.stringify(body), unstreamed, 'generate', trace);
  await expectSuccess(routed, response, protocol, false);
  try {
    const value: unknown = JSON.parse(Buffer.from(await response.body.collect(deps.responseBytes)).toString());
    const decoded = protocol.decodeResponse(value, { target, newId: deps.newId });
    trace?.set({ usage: decoded.usage, id: decoded.id, model: decoded.model });
    const summary = summaryOf(decoded);
    if (summary === '')
      throw new GatewayError('provider_error', UPSTREAM_MESSAGES.noContent, {
        retryable: true,
      });
    const meta = { model: context.request.model, createdAt: Math.floor(deps.now() / 1_000) };
    const encryptedContent = encodeCompaction(deps.secret, summary, meta);
    return { encryptedContent, target, losses, ...(decoded.usage && { usage: decoded.usage }) };
  } catch (error) {
    throw failedAttempt(error);
  }
}

/** If the vendor stores the previous response, the request includes its id. The plan then only allows that vendor. */
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
