import type { InputImage } from '@sluice/canonical';
import type { Keyspace } from './keyspace.ts';
import type { TaskSettings } from './task-settings.ts';

/** An input image in the content store. */
interface StoredInput {
  key: string;
  /** Identifies the owner and the content. Empty for images that earlier versions stored, which no other task uses. */
  hash: string;
}

/** Input images that were stored for a task. Contents that its owner has already are then replaced by these. */
export interface NewInputs {
  images: StoredInput[];
  sharedForMs: number;
  lifeMs: number;
}

/** The settings that limit how long tasks need their content. */
export type InputLife = Pick<TaskSettings, 'queueDeadlineMs' | 'submitUnknownMs' | 'retentionMs'>;

/**
 * How long new tasks use a content, from the first task with it, in milliseconds. It is limited, because input images
 * are removed by their age if no task releases them.
 */
const SHARED_FOR_MS = 24 * 3_600_000;

export function newInputs(
  keys: Pick<Keyspace, 'inputHash'>,
  ownerId: string,
  images: readonly InputImage[],
  life: InputLife,
): NewInputs {
  const hashed = storedInputs(keys, ownerId, images).filter(({ hash }) => hash !== '');
  return { images: hashed, sharedForMs: SHARED_FOR_MS, lifeMs: inputLifeMs(life) };
}

export function storedInputs(
  keys: Pick<Keyspace, 'inputHash'>,
  ownerId: string,
  images: readonly InputImage[],
): StoredInput[] {
  return images.flatMap(({ source }) => {
    if (source.kind !== 'stored') return [];
    const { key, sha256 } = source;
    return [{ key, hash: sha256 === undefined ? '' : keys.inputHash(ownerId, sha256) }];
  });
}

/** Returns the maximum age of a task's content in the content store, in milliseconds. */
export function contentLifeMs({ queueDeadlineMs, submitUnknownMs, retentionMs }: InputLife): number {
  return queueDeadlineMs + submitUnknownMs + 2 * retentionMs;
}

/** Returns the maximum age of an input image. The last task with it is created `SHARED_FOR_MS` after the first. */
export function inputLifeMs(life: InputLife): number {
  return SHARED_FOR_MS + contentLifeMs(life);
}
