import { GatewayError, type MediaKind } from '@sluice/canonical';
import { printable } from '../http/printable.ts';

const NAMES: Readonly<Record<MediaKind, string>> = { video: 'Video', image: 'Image task' };

export function taskNotFound(kind: MediaKind, id: string): GatewayError {
  return new GatewayError(`${kind}_not_found`, `${NAMES[kind]} ${printable(id)} does not exist.`);
}
