/** What the page has beside the style of a report: the same colours and cards, and what a report does not need, forms and lists of runs. */
export const UI_STYLE = `
.head{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 20px;padding-top:14px;padding-bottom:10px}.head h1{font-size:1.15rem;margin:0}.head nav{display:flex;gap:16px}.head nav a{text-decoration:none}.head nav a[aria-current]{color:var(--ink);font-weight:600}
.trail{display:flex;flex-wrap:wrap;gap:2px 8px;margin:0 0 12px;font-size:.9rem}.trail a::after{content:"/";color:var(--soft);margin-left:8px}.trail a{text-decoration:none}
.notice{background:var(--bug-bg);color:var(--bug);border-radius:6px;padding:8px 14px;margin:0 0 12px;overflow-wrap:anywhere}
.badge.running{background:var(--documented-bg);color:var(--documented)}.badge.gone{background:var(--inconclusive-bg);color:var(--inconclusive)}
.start,.replays{padding:12px 16px}.start form,.controls{display:flex;flex-wrap:wrap;gap:10px 16px;align-items:end}.controls{align-items:center}.start label{display:grid;gap:2px;font-size:.82rem;color:var(--soft);min-width:0}.controls label{display:flex;gap:6px;align-items:center;min-width:0;max-width:100%;font-size:.85rem;color:var(--soft)}
select{font:inherit;font-size:.9rem;color:var(--ink);background:var(--page);border:1px solid var(--line);border-radius:6px;padding:4px 8px;max-width:100%;min-width:0}select:hover{border-color:var(--soft)}
form .row{flex:1 1 100%;display:flex;flex-wrap:wrap;gap:10px 24px;align-items:end}fieldset{border:0;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:4px 14px;min-width:0;font-size:.9rem}fieldset legend{padding:0;font-size:.82rem;color:var(--soft);margin-bottom:4px}.start label.check{display:flex;gap:5px;align-items:center;color:var(--ink);font-size:.9rem}
button.main,.button{background:var(--documented);border:1px solid var(--documented);color:var(--page);border-radius:6px;padding:4px 14px;font-size:.9rem;font-weight:600;text-decoration:none}button.main:hover,.button:hover{filter:brightness(1.08)}button:disabled{opacity:.5;cursor:default}
.goes-on{display:flex;flex-wrap:wrap;gap:6px 14px;align-items:center}
.state{margin:8px 0 0;overflow-wrap:anywhere}.state:empty{display:none}
.runs,.seen{list-style:none;margin:0;padding:0}
.run-line{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 14px;background:var(--card);border:1px solid var(--line);border-left:4px solid var(--line);border-radius:8px;margin-bottom:8px;padding:9px 14px;color:inherit;text-decoration:none}.run-line:hover,.finding-line:hover{background:var(--sunk)}.run-line>.badge{min-width:9.2rem;text-align:center}
.run-line.bug{border-left-color:var(--bug)}.run-line.undocumented{border-left-color:var(--undocumented)}.run-line.documented,.run-line.clean{border-left-color:var(--clean)}.run-line.running{border-left-color:var(--documented)}.run-line>.badge.documented{background:var(--clean-bg);color:var(--clean)}
.counts{display:inline-flex;flex-wrap:wrap;gap:4px}.counts .badge{font-weight:500}
.verdict{align-items:center}.verdict.running strong{color:var(--documented)}.verdict.running{border-color:var(--documented)}.verdict.gone strong{color:var(--inconclusive)}.verdict.gone{border-color:var(--inconclusive)}.verdict .quiet{min-height:1.4em}.pages{display:flex;flex-wrap:wrap;gap:8px}
.card .words{margin:8px 0 0;font-size:.88rem}
.curve{margin:16px 0 0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 14px}.curve svg{display:block;width:100%;height:70px}.curve polyline{fill:none;stroke:var(--documented);stroke-width:1.6}
.seen{border-top:1px solid var(--line)}.seen>li{border-top:1px solid var(--line);padding:0}.seen>li:first-child{border-top:0}.seen>li>p,.seen>li>pre{margin:6px 14px}
.finding-line{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 10px;padding:7px 14px;color:inherit;text-decoration:none}.explains{flex:1 1 24rem;min-width:0;overflow-wrap:anywhere}.explains code{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;color:var(--soft)}
.finding-head{margin-top:0;overflow-wrap:anywhere}.finding-head .quiet{font-weight:400}.finding-part.body{padding:0}
main>.replay{margin-top:24px}
@media (max-width:600px){.run-line>.badge{min-width:0}.run-line .where{margin-left:0;width:100%}.start label{width:100%}.start label.check{width:auto}}
`;
