/** The mark: a mast, its sail, and the halyard that hoists it. */
export function Mark({ className = "size-7" }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 28" fill="none" className={`shrink-0 ${className}`} aria-hidden="true">
      <path d="M13.25 3v22" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      <path d="M15.5 5.5c4 4 6.5 9 7.5 14.5h-7.5z" className="fill-accent" />
      <path d="M11 7.5C9.8 12 7.5 16.5 4.5 20H11z" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
      <path d="M3 23.25c3.5 1.7 6.5-1.7 10.25 0s7.5 1.7 11.75 0" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  );
}

/** The house's own logo, or the mark; its name stands beside it. Of a picture in no hurry React writes no preload into the body. */
export const Logo = ({ src }: { src: string | null }) =>
  src === null ? <Mark /> : <img src={src} alt="" fetchPriority="low" className="h-7 w-auto max-w-40 shrink-0 object-contain" />;

export function Wordmark({ brand, logo = null }: { brand: string; logo?: string | null }) {
  return (
    <span className="inline-flex items-center gap-2">
      <Logo src={logo} />
      <span className="font-serif text-[1.3125rem] leading-none tracking-[-0.02em]">{brand}</span>
    </span>
  );
}
