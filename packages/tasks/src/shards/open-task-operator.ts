import { type OpenTaskOperator, openShardOperator, type TaskOperatorOptions } from '../operator/open-shard-operator.ts';
import { shardOptions } from './shard-options.ts';
import { shardedOperator } from './sharded-operator.ts';

/** Opens an operator for the tasks of all shards. @throws Error if one of the Redis servers does not respond */
export async function openTaskOperator(options: TaskOperatorOptions): Promise<OpenTaskOperator> {
  const opening = shardOptions(options).map(openShardOperator);
  const results = await Promise.allSettled(opening);
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const close = async (): Promise<void> => void (await Promise.all(opened.map((one) => one.close())));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  const [home, ...others] = opened;
  if (!home) throw new Error('There is no Redis.');
  return { operator: others.length > 0 ? shardedOperator([home, ...others]) : home.operator, close };
}
