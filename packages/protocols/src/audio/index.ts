export { audioEndpoints, speechProtocol } from './endpoints.ts';
