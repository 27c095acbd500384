import { createLazyRoute } from '@tanstack/react-router';
import { Gallery } from './gallery.tsx';

export const Route = createLazyRoute('/gallery')({ component: Gallery });
