export { converseProtocol } from './protocol.ts';
