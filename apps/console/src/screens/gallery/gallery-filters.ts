/** Parameters of the gallery in the URL, with the names of `GET /v1/tasks`. */
export const GALLERY_FILTERS = ['kind', 'model', 'key', 'remixed_from', 'after'] as const;

export type GallerySearch = { [name in (typeof GALLERY_FILTERS)[number]]?: string };
