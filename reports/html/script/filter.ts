/**
 * Filters by search and chips over the page's index (facets.ts). A finding must match one chosen chip of each facet and
 * every word of the search. Each chip counts the findings that it would show. If few findings match, their families
 * open, and close again afterwards.
 */
export const FILTER: string = `
var index = document.getElementById('index');
if (index) (() => {
  var rows = JSON.parse(index.textContent).rows.map(row => {
    return { values: row[1], words: row[2], finding: document.getElementById('finding-' + row[0]) };
  });
  var FEW = 30;
  var search = document.getElementById('search');
  var picks = [...document.querySelectorAll('.pick')];
  var families = [...document.querySelectorAll('.family')].map(details => {
    var of = details.querySelector('.of');
    return { details: details, of: of, words: of.textContent, rows: [], byUs: false };
  });
  var familyOf = new Map(families.map(family => [family.details, family]));
  rows.forEach(row => { familyOf.get(row.finding.closest('.family')).rows.push(row); });
  function chosen() {
    var wanted = [];
    picks.forEach(pick => {
      if (pick.getAttribute('aria-pressed') !== 'true') return;
      var facet = +pick.dataset.facet;
      (wanted[facet] = wanted[facet] || new Set()).add(+pick.dataset.value);
    });
    return wanted;
  }
  function fits(row, wanted, but) {
    for (var facet = 0; facet < wanted.length; facet++)
      if (facet !== but && wanted[facet] && !row.values[facet].some(value => wanted[facet].has(value))) return false;
    return true;
  }
  function count(wanted) {
    var counts = [];
    rows.forEach(row => {
      if (!row.said) return;
      row.values.forEach((values, facet) => {
        if (!fits(row, wanted, facet)) return;
        values.forEach(value => {
          counts[facet] = counts[facet] || [];
          counts[facet][value] = (counts[facet][value] || 0) + 1;
        });
      });
    });
    picks.forEach(pick => {
      var n = (counts[pick.dataset.facet] || [])[pick.dataset.value] || 0;
      pick.querySelector('small').textContent = n;
      pick.classList.toggle('none', n === 0);
    });
  }
  function plain(n) { return n.toLocaleString('en-US'); }
  function apply() {
    var wanted = chosen();
    var words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    var all = wanted.length === 0 && words.length === 0;
    var shown = 0;
    rows.forEach(row => {
      row.said = words.every(word => row.words.includes(word));
      row.fits = row.said && fits(row, wanted, -1);
      if (row.fits) shown++;
      if (row.finding.hidden === row.fits) row.finding.hidden = !row.fits;
    });
    families.forEach(family => {
      var n = family.rows.filter(row => row.fits).length;
      family.details.hidden = n === 0;
      family.of.textContent = n === family.rows.length ? family.words : plain(n) + ' of ' + family.words;
      var open = !all && n > 0 && shown <= FEW;
      if (open && !family.details.open) { family.details.open = true; family.byUs = true; }
      else if (!open && family.byUs) { family.details.open = false; family.byUs = false; }
    });
    count(wanted);
    document.getElementById('matches').textContent = (all ? '' : plain(shown) + ' of ') + plain(rows.length) + (rows.length === 1 ? ' finding' : ' findings');
    document.getElementById('nothing').hidden = shown > 0;
    document.getElementById('clear').hidden = all;
  }
  function clear() {
    search.value = '';
    picks.forEach(pick => { pick.setAttribute('aria-pressed', 'false'); });
    apply();
  }
  var due = 0;
  search.addEventListener('input', () => { clearTimeout(due); due = setTimeout(apply, rows.length > 500 ? 120 : 0); });
  document.addEventListener('click', event => {
    var target = event.target.closest && event.target.closest('.pick,[data-picks],[data-all],[data-clear],#clear');
    if (!target) return;
    if (target.id === 'clear' || target.hasAttribute('data-clear')) {
      clear();
      search.focus();
    } else if (target.hasAttribute('data-all')) {
      var open = target.getAttribute('data-all') === 'open';
      document.querySelectorAll(open ? '.family:not([hidden])' : '.family, .finding > details').forEach(details => { details.open = open; });
    } else if (target.hasAttribute('data-picks')) {
      var wanted = target.getAttribute('data-picks').split(',');
      search.value = '';
      picks.forEach(pick => { pick.setAttribute('aria-pressed', String(wanted.includes(pick.dataset.facet + ' ' + pick.dataset.value))); });
      apply();
      document.getElementById('findings').scrollIntoView();
    } else {
      target.setAttribute('aria-pressed', String(target.getAttribute('aria-pressed') !== 'true'));
      apply();
    }
  });
  document.addEventListener('keydown', event => {
    var typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
      search.scrollIntoView({ block: 'center' });
    } else if (event.key === 'Escape' && event.target === search && search.value !== '') { search.value = ''; apply(); }
  });
})();
`;
