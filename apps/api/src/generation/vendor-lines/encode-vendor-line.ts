import type { VendorLine } from '@sluice/batches';
import { accountName } from '@sluice/canonical';
import type { FastifyReply } from 'fastify';
import { AttemptError } from '../../routing/attempt-error.ts';
import type { GenerationDeps, TextCall } from '../generation-deps.ts';
import type { TextPlan } from '../plan-text.ts';
import { prepareCompletion } from '../request-completion.ts';
import { createTextContext } from '../text-context.ts';

/**
 * Responds with a request of a batch that a vendor runs, in the vendor's format, or with 204 if another upstream must
 * serve it.
 */
export async function encodeVendorLine(
  deps: GenerationDeps,
  call: TextCall,
  { request, resolvedModel, targets }: TextPlan,
  line: Pick<VendorLine, 'account'>,
): Promise<FastifyReply> {
  const routed = targets.find(({ target }) => accountName(target) === line.account);
  if (!routed) return call.reply.code(204).send();
  const context = createTextContext(deps, call, { request, strict: call.apiKey.strict || resolvedModel.model.strict });
  try {
    const { body } = await prepareCompletion(deps, context, routed);
    return call.reply.type('application/json; charset=utf-8').send(Array.isArray(body) ? Buffer.concat(body) : body);
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    if (targets.some(({ target }) => target.upstream !== routed.target.upstream)) return call.reply.code(204).send();
    throw error.error;
  }
}
