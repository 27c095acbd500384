import { scriptLoader } from '@sluice/redis-scripts';

const load = scriptLoader(new URL('lua/', import.meta.url));
export const PUT_SCRIPT: string = load('put');
export const RESERVE_SCRIPT: string = load('reserve');
export const LIST_SCRIPT: string = load('list');
