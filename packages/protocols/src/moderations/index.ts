export { moderationsEndpoints, moderationsProtocol } from './endpoints.ts';
