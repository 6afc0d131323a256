/** What the page has beside the style of a report: the same colours and cards, and what a report does not need, forms and lists of runs. */
export const UI_STYLE = `
.head{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 20px;padding-top:14px;padding-bottom:10px}.head h1{font-size:1.15rem;margin:0}.head nav{display:flex;gap:16px}.head nav a{text-decoration:none}.head nav a[aria-current]{color:var(--ink);font-weight:600}
.trail{display:flex;flex-wrap:wrap;gap:2px 8px;margin:0 0 12px;font-size:.9rem}.trail a::after{content:"/";color:var(--soft);margin-left:8px}.trail a{text-decoration:none}
.notice{background:var(--bug-bg);color:var(--bug);border-radius:6px;padding:8px 14px;margin:0 0 12px;overflow-wrap:anywhere}
.badge.running{background:var(--documented-bg);color:var(--documented)}.badge.lost,.badge.finished{background:var(--inconclusive-bg);color:var(--inconclusive)}
.start,.replays{padding:12px 16px}.start form,.controls{display:flex;flex-wrap:wrap;gap:10px 16px;align-items:end}.controls{align-items:center}.start label{display:grid;gap:2px;font-size:.82rem;color:var(--soft);min-width:0}.controls label{display:flex;gap:6px;align-items:center;min-width:0;max-width:100%;font-size:.85rem;color:var(--soft)}
select{font:inherit;font-size:.9rem;color:var(--ink);background:var(--page);border:1px solid var(--line);border-radius:6px;padding:4px 8px;max-width:100%;min-width:0}select:hover{border-color:var(--soft)}
fieldset{border:0;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:4px 14px;min-width:0;font-size:.9rem}fieldset legend{padding:0;font-size:.82rem;color:var(--soft);margin-bottom:4px}.start label.check{display:flex;gap:5px;align-items:center;color:var(--ink);font-size:.9rem}
button.main,.button{background:var(--documented);border:1px solid var(--documented);color:var(--page);border-radius:6px;padding:4px 14px;font-size:.9rem;font-weight:600;text-decoration:none}button.main:hover,.button:hover{filter:brightness(1.08)}button:disabled{opacity:.5;cursor:default}
.goes-on{display:flex;flex-wrap:wrap;gap:6px 14px;align-items:center}
.state{margin:8px 0 0;overflow-wrap:anywhere}.state:empty{display:none}
.runs,.seen{list-style:none;margin:0;padding:0}
.run-line{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 14px;background:var(--card);border:1px solid var(--line);border-left:4px solid var(--line);border-radius:8px;margin-bottom:8px;padding:9px 14px;color:inherit;text-decoration:none}.run-line:hover,.finding-line:hover{background:var(--sunk)}.run-line>.badge{min-width:9.2rem;text-align:center}
.run-line.bug{border-left-color:var(--bug)}.run-line.undocumented{border-left-color:var(--undocumented)}.run-line.documented,.run-line.clean{border-left-color:var(--clean)}.run-line.running{border-left-color:var(--documented)}.run-line>.badge.documented{background:var(--clean-bg);color:var(--clean)}
.counts{display:inline-flex;flex-wrap:wrap;gap:4px}.counts .badge{font-weight:500}
.verdict{align-items:center}.verdict.running strong{color:var(--documented)}.verdict.running{border-color:var(--documented)}.verdict.lost strong{color:var(--inconclusive)}.verdict.lost{border-color:var(--inconclusive)}.verdict .quiet{min-height:1.4em}.pages{display:flex;flex-wrap:wrap;gap:8px}
.card .words{margin:8px 0 0;font-size:.88rem}
.curve{margin:16px 0 0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 14px}.curve svg{display:block;width:100%;height:70px}.curve polyline{fill:none;stroke:var(--documented);stroke-width:1.6}
.seen{border-top:1px solid var(--line)}.seen>li{border-top:1px solid var(--line);padding:0}.seen>li:first-child{border-top:0}.seen>li>p,.seen>li>pre{margin:6px 14px}
.finding-line{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 10px;padding:7px 14px;color:inherit;text-decoration:none}.explains{flex:1 1 24rem;min-width:0;overflow-wrap:anywhere}.explains code{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;color:var(--soft)}
.finding-head{margin-top:0;overflow-wrap:anywhere}.finding-head .quiet{font-weight:400}.finding-part.body{padding:0}
main>.replay{margin-top:24px}
.start label.wide{flex:1 1 100%}textarea{font:.85rem/1.45 var(--mono,ui-monospace,monospace);color:var(--ink);background:var(--page);border:1px solid var(--line);border-radius:6px;padding:6px 8px;width:100%;box-sizing:border-box;resize:vertical}
.bench-head{display:flex;flex-wrap:wrap;gap:4px 20px;align-items:baseline;padding:10px 16px;margin-bottom:12px}.bench-head p{margin:0;overflow-wrap:anywhere;min-width:0}.bench-head code+code{margin-left:8px}.bench-head button{margin-left:auto}
.lanes{display:grid;gap:6px 12px;align-items:start}.lanes.of2{grid-template-columns:repeat(2,minmax(0,1fr))}.lanes.of3{grid-template-columns:repeat(3,minmax(0,1fr))}.lanes.of4{grid-template-columns:repeat(4,minmax(0,1fr))}.lanes h2{font-size:1rem;margin:6px 0 2px}.lanes .c1{grid-column:1}.lanes .c2{grid-column:2}.lanes .c3{grid-column:3}.lanes .c4{grid-column:4}
.bench-step{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--clean);border-radius:8px;padding:6px 10px;min-width:0}.bench-step.waits{border-left-color:var(--documented)}.bench-step.failed{border-left-color:var(--bug)}.bench-step pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.82rem}.bench-step p{margin:4px 0 0;font-size:.85rem;overflow-wrap:anywhere}
.bench-next{display:grid;gap:6px;min-width:0;margin-top:6px}.bench-next .notice{margin:0}.rows{overflow-x:auto;font-size:.82rem;margin-top:4px}.rows table{border-collapse:collapse}.rows th,.rows td{border:1px solid var(--line);padding:1px 8px;text-align:left}.rows caption{text-align:left;color:var(--soft)}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.bench-told{padding:6px 16px 14px;margin-top:18px}.bench-told h2{font-size:1rem}.bench-graph{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.3fr);gap:20px;font-size:.88rem}.bench-graph li,.orders li{margin-bottom:5px;overflow-wrap:anywhere}.saves{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
@media (max-width:700px){.lanes,.lanes.of2,.lanes.of3,.lanes.of4{grid-template-columns:minmax(0,1fr)}.lanes .c1,.lanes .c2,.lanes .c3,.lanes .c4{grid-column:1}.lanes .bench-step.c2,.lanes .bench-step.c4{margin-left:14px}.lanes>h2{display:none}.bench-graph{grid-template-columns:minmax(0,1fr)}}
@media (max-width:600px){.run-line>.badge{min-width:0}.run-line .where{margin-left:0;width:100%}.start label{width:100%}.start label.check{width:auto}}
`;
