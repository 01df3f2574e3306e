/** Uniform numbers in [0, 1). */
export type Dice = () => number;

export const pick = <T>(dice: Dice, list: readonly T[]): T => list[Math.floor(dice() * list.length)] as T;
export const between = (dice: Dice, low: number, high: number): number => low + (high - low) * dice();
