import { chatBody } from '../load/bodies.ts';
import type { Burst } from '../load/load-generator.ts';
import type { ContenderStage } from './contender-stage.ts';
import type { Contender } from './start-contender.ts';

const CONCURRENCY = 32;

/**
 * Sends relayed chat requests, 32 at once.
 * @returns the CPU time of the contender per request, in microseconds
 * @throws if a request fails
 */
export async function chatCostUs(
  stage: ContenderStage,
  contender: Contender,
  length: Pick<Burst, 'count'> | Pick<Burst, 'ms'>,
): Promise<number> {
  const target = contender.targetOf({ client: 'chat', vendor: 'chat', path: 'buffered' });
  if (!target) throw new Error(`${contender.name} serves no chat requests`);
  const request = {
    url: contender.url + target.path,
    headers: target.headers,
    body: JSON.stringify(chatBody(target.model)),
  };
  const before = await contender.usage();
  const { completed, errors } = await stage.run({ ...request, concurrency: CONCURRENCY, ...length });
  const after = await contender.usage();
  if (errors > 0) throw new Error(`${errors} requests to ${contender.name} failed`);
  return (after.cpuUs - before.cpuUs) / completed;
}
