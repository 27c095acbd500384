export { buildSandbox, type Sandbox, type SandboxOptions } from './build-sandbox.ts';
export { type RunningSandbox, type SandboxSettings, startSandbox } from './start-sandbox.ts';
