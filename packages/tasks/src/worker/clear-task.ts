import { DamagedTaskError } from '../store/damaged-task-error.ts';
import type { StepContext } from './steps/step.ts';

/** Removes a final task with its content. Can be repeated if it fails. */
export async function clearTask(
  { store, content, logger }: Pick<StepContext, 'store' | 'content' | 'logger'>,
  id: string,
): Promise<void> {
  await removeContent({ store, content }, id).catch((error: unknown) => {
    if (!(error instanceof DamagedTaskError)) throw error;
    // The task's files are removed later, based on their age.
    logger.error({ err: error, task: id }, 'damaged task removed without its content');
  });
  await store.purge(id);
}

async function removeContent({ store, content }: Pick<StepContext, 'store' | 'content'>, id: string): Promise<void> {
  const record = await store.load(id);
  if (!record) return;
  for (const output of record.outputs) if (output.content) await content.remove(output.content.key);
  const unused = await store.releaseInputs(record, await store.loadRequest(id));
  for (const key of unused) await content.remove(key);
}
