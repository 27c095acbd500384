export { enginesEndpoints } from './endpoints.ts';
