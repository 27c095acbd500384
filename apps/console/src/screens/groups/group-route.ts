import { createLazyRoute } from '@tanstack/react-router';
import { GroupPage } from './group-page.tsx';

export const Route = createLazyRoute('/groups/$id')({ component: GroupPage });
