import { type RefObject, useEffect, useRef, useState } from 'react';

/** Becomes true when the element is near the visible part of the page, and stays true. */
export function useVisible<E extends Element>(): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null);
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setVisible(true),
      { rootMargin: '200px' },
    );
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, isVisible];
}
