export { deliveryOf } from './delivery.ts';
export * from './endpoints.ts';
export { encodeImages, encodeImageTask } from './response.ts';
