/** Draws again if a key is drawn already. A skewed choice of few objects ends with the nearest ones that are left. */
export function distinctKeys(next: () => number, objects: number): (count: number) => readonly number[] {
  return (count) => {
    const wanted = Math.min(count, objects);
    const chosen = new Set<number>();
    for (let tries = 0; chosen.size < wanted && tries < 20 * wanted; tries++) chosen.add(next());
    for (let key = 0; chosen.size < wanted; key++) chosen.add(key);
    return [...chosen];
  };
}
