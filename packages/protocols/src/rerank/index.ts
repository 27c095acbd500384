export { rerankEndpoints, rerankProtocol } from './endpoints.ts';
