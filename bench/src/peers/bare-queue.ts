/** Name of the queue that bare BullMQ is measured on. */
export const BARE_QUEUE = 'bare';
