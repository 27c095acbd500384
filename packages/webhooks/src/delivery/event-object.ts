import { type EventObject, isObjectEvent } from '@sluice/canonical';
import type { StoredDelivery } from '../store/stored-delivery.ts';

/** Returns the object of a delivery whose event contains only an id. Undefined if the event contains a task. */
export function eventObjectOf({ type, taskId }: Pick<StoredDelivery, 'type' | 'taskId'>): EventObject | undefined {
  if (!isObjectEvent(type)) return undefined;
  // A test has no object.
  return { id: taskId ?? `${type.slice(0, type.indexOf('.'))}_test` };
}
