import { GatewayError, type MediaTask } from '@sluice/canonical';
import { isTaskId } from '@sluice/tasks';
import { printable } from '../../http/printable.ts';
import type { TaskDeps } from './task-endpoint.ts';

/** @throws GatewayError `not_found`, also for a task of another key */
export async function findTask(
  { engine }: Pick<TaskDeps, 'engine'>,
  owner: string | undefined,
  id: string,
): Promise<MediaTask> {
  const found = !isTaskId(id)
    ? undefined
    : await (owner === undefined ? engine.findForLink(id) : engine.find(owner, id));
  if (found) return found;
  throw new GatewayError('not_found', `Task ${printable(id)} does not exist.`);
}

/** @throws GatewayError `permission_denied` for the admin key */
export function expectOwner({ owner }: { owner: string | undefined }, remedy: string): string {
  if (owner !== undefined) return owner;
  throw new GatewayError('permission_denied', `The admin key has no tasks of its own. ${remedy}`);
}
