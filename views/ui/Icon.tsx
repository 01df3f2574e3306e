/** One set, drawn for it: 24 units, strokes of 1.5, round ends. */
export const paths = {
  menu: "M4 7h16M4 12h16M4 17h16",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4",
  gauge: "M4 17.5a8.5 8.5 0 1 1 16 0M12 13.5l3.5-4.5M12 13.5h.01",
  people: "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5c.5-3.5 3-5 6.5-5s6 1.5 6.5 5M15.5 4.9a3.5 3.5 0 0 1 0 6.2M17.5 14.9c2.3.6 3.7 2.1 4 4.6",
  sliders: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  chevronDown: "M6 9.5l6 6 6-6",
  chevronRight: "M9.5 6l6 6-6 6",
  chevronLeft: "M14.5 6l-6 6 6 6",
  arrowRight: "M4.5 12h15M13.5 6l6 6-6 6",
  arrowLeft: "M19.5 12h-15M10.5 6l-6 6 6 6",
  device: "M4 5.5h16v10.5H4zM9 20h6M12 16v4",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.6-4 3.7-6 7.5-6s6.9 2 7.5 6",
  document: "M6.5 3.5h7.5l4 4v13h-11.5zM14 3.5v4h4M9 12h6M9 16h6",
  wallet: "M4 7.5h15a1.5 1.5 0 0 1 1.5 1.5v9.5a1.5 1.5 0 0 1-1.5 1.5H5.5A1.5 1.5 0 0 1 4 18.5v-12A2 2 0 0 1 6 4.5h11.5v3M16.5 13.75h.01",
  chart: "M4 4v16h16M7.5 15.5l3.5-4.5 3 2.5 5-7",
  candles: "M7 3.5v3M7 14.5v3M5 6.5h4v8H5zM17 6.5v3M17 17.5v3M15 9.5h4v8h-4z",
  trend: "M4 16.5l5.5-6 4 3.5L20 7M15.5 7H20v4.5",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2",
  shield: "M12 3.5l7.5 2.5v5.5c0 4.5-3 7.5-7.5 9-4.5-1.5-7.5-4.5-7.5-9V6zM8.8 12l2.2 2.2 4.2-4.4",
  lifebuoy:
    "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM6 6l3.5 3.5M14.5 14.5L18 18M18 6l-3.5 3.5M9.5 14.5L6 18",
  book: "M12 6.5c-2-1.5-4.5-2-8-2v14c3.5 0 6 .5 8 2 2-1.5 4.5-2 8-2v-14c-3.5 0-6 .5-8 2zM12 6.5v14",
  globe: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c2.5 2.5 3.5 5.5 3.5 8.5s-1 6-3.5 8.5c-2.5-2.5-3.5-5.5-3.5-8.5s1-6 3.5-8.5z",
  layers: "M12 3.5l8.5 4.5-8.5 4.5L3.5 8zM3.5 12l8.5 4.5 8.5-4.5M3.5 16l8.5 4.5 8.5-4.5",
  info: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.5M12 7.75h.01",
  warning: "M12 4l9 16H3zM12 10v4.5M12 17.25h.01",
  copy: "M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 19.5h15",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20.5 20.5",
  eye: "M2.5 12c2-4 5.3-6.5 9.5-6.5s7.5 2.5 9.5 6.5c-2 4-5.3 6.5-9.5 6.5S4.5 16 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  eyeOff:
    "M4 4l16 16M9.9 5.7A9.9 9.9 0 0 1 12 5.5c4.2 0 7.5 2.5 9.5 6.5a14 14 0 0 1-2.6 3.6M6.3 7.3A13.5 13.5 0 0 0 2.5 12c2 4 5.3 6.5 9.5 6.5 1.7 0 3.2-.4 4.6-1.1M10 10a3 3 0 0 0 4.1 4.1",
  plus: "M12 5v14M5 12h14",
  refresh: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 4v4.5H15",
  receipt: "M6 3.5h12v17l-2-1.5-2 1.5-2-1.5-2 1.5-2-1.5-2 1.5zM9 8.5h6M9 12.5h6",
  phone: "M5 4.5h4l1.5 4-2.2 1.6a10.5 10.5 0 0 0 5.6 5.6l1.6-2.2 4 1.5v4a1.5 1.5 0 0 1-1.6 1.5C10.6 20 4 13.4 3.5 6.1A1.5 1.5 0 0 1 5 4.5z",
  mail: "M3.5 5.5h17v13h-17zM3.5 6.5l8.5 7 8.5-7",
  chat: "M4 5.5h16v11h-8.5L7 20.5v-4H4zM8 9.5h8M8 12.5h5",
  scale: "M12 4v16.5M7 20.5h10M5 7h14M5 7l-2.5 6.5a3 3 0 0 0 5 0zM19 7l-2.5 6.5a3 3 0 0 0 5 0z",
  coins:
    "M9 5c3.3 0 5.5 1.1 5.5 2.5S12.3 10 9 10 3.5 8.9 3.5 7.5 5.7 5 9 5zM3.5 7.5v8C3.5 16.9 5.7 18 9 18M14.5 7.5v2.2M15 10.5c3.3 0 5.5 1.1 5.5 2.5s-2.2 2.5-5.5 2.5-5.5-1.1-5.5-2.5 2.2-2.5 5.5-2.5zM9.5 13v4c0 1.4 2.2 2.5 5.5 2.5s5.5-1.1 5.5-2.5v-4",
  keyboard: "M3.5 6.5h17v11h-17zM7 10h.01M10.3 10h.01M13.7 10h.01M17 10h.01M8.5 14h7",
} as const;

export type IconName = keyof typeof paths;
/** The whole set, for the page that shows it. */
export const iconNames = Object.keys(paths) as IconName[];

type Look = { label?: string; className?: string };

/** Decoration beside words unless it is given a `label`. */
export const Icon = ({ name, ...look }: Look & { name: IconName }) => drawn(paths[name], look);

/** Strokes as an icon. */
export function drawn(path: string, { label, className = "size-5" }: Look) {
  return (
    <svg viewBox="0 0 24 24" className={`icon-line ${className}`} role={label ? "img" : undefined} aria-label={label} aria-hidden={label ? undefined : true}>
      <path d={path} />
    </svg>
  );
}
