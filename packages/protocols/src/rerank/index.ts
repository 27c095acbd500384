export { rerankEndpoints } from './endpoints.ts';
