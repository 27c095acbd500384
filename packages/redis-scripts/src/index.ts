export { scriptLoader, type LoadScript } from './script-loader.ts';
