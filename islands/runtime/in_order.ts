/**
 * Takes the answers of one question that is asked again and again in the order in which it was asked: one that comes after a later one's is older than
 * what is shown, and is thrown away. Whatever the question throws is thrown.
 */
export function inOrder(): <T>(ask: () => Promise<T>, take: (answer: T) => unknown) => Promise<void> {
  let asked = 0;
  let taken = 0;
  return async (ask, take) => {
    const turn = ++asked;
    const answer = await ask();
    if (turn < taken) return;
    taken = turn;
    take(answer);
  };
}
