export { buildApi, type ApiParts } from './build-api.ts';
