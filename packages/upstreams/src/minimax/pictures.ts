import { CONTENT_BYTES } from '../media/content-items.ts';
import { megabytes, type PictureLimits } from '../media/limit-wish.ts';

const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/webp'];

/** MiniMax docs, "Image to Video", `first_frame_image`: "JPG, JPEG, PNG, WebP", less than 20 MB. */
export const PICTURES_V1: PictureLimits = { mediaTypes: MEDIA_TYPES, mostBytes: megabytes(20) };
/** MiniMax docs, "Video Generation V2". */
export const PICTURES_V2: PictureLimits = { mediaTypes: MEDIA_TYPES, ...CONTENT_BYTES };
