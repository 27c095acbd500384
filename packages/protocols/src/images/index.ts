export { deliveryOf } from './delivery.ts';
export * from './endpoints.ts';
