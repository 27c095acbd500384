export const BARE_QUEUE = 'bare';
