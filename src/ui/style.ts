/** What the page has beside the style of a report. */
export const UI_STYLE = `
.bar-top{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 18px;padding-top:14px;padding-bottom:6px}.bar-top h1{font-size:1.15rem;margin:0}.bar-top a{text-decoration:none}.bar-top a[aria-current]{color:var(--ink);font-weight:600}
.runs{list-style:none;margin:0;padding:0}.run-line{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--line);border-radius:8px;margin-bottom:8px;padding:8px 14px}
`;
