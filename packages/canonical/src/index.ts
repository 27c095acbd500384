export * from './gateway-error.ts';
export * from './media-task.ts';
export * from './picture-type.ts';
export * from './video-capability.ts';
export * from './video-request.ts';
