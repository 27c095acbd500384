import type { ImageRole, MediaField } from '@sluice/canonical';
import { type ImageCounts, megabytes } from '../schema/models.ts';

/** `replicate` 1.4.0, `MAX_DATA_URI_SIZE`: 10,000,000 bytes. */
export const REPLICATE_IMAGE_FILES = { maxBytes: megabytes(9.5), maxTogether: megabytes(9.5) };

export interface ImageInput {
  field: string;
  max: number;
  isList: boolean;
}
export type ImageInputs = Readonly<Partial<Record<ImageRole, ImageInput>>>;

/** Supported values of an input. An object maps them to the model's own names. */
export type InputValues = readonly string[] | Readonly<Record<string, string>>;
/** The model's names for fields that are sent unchanged. */
export type InputNames = Readonly<Partial<Record<MediaField, string>>>;

export function one(field: string): ImageInput {
  return { field, max: 1, isList: false };
}

export function listOf(field: string, max = Infinity): ImageInput {
  return { field, max, isList: true };
}

export const first = (field: string): ImageInputs => ({ first_frame: one(field) });
export const frames = (begin: string, end: string): ImageInputs => ({ first_frame: one(begin), last_frame: one(end) });
export const references = (max?: number): ImageInputs => ({ reference: listOf('reference_images', max) });

export function inputCounts(inputs: ImageInputs): ImageCounts {
  return Object.fromEntries(Object.entries(inputs).map(([role, { max }]) => [role, max]));
}
