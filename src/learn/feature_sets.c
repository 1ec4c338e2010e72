// SPDX-License-Identifier: GPL-3.0-or-later
// The feature sets of the papers by name, mostly from Table 2.2 of Amundsen's thesis (2014), which says who
// used what. A set is a list of features in the order in which its weights were published; constants, which
// change no choice, are left out. Ratings, exponents and players do not belong to a set.
#include "learn/encoding.h"

#define BERTSEKAS   "max-height,holes,column-heights,column-differences"
#define DELLACHERIE "landing-height,eroded-cells,row-transitions,column-transitions,holes,cumulative-wells"
#define DELLACHERIE_WITHOUT_HOLES                                                                            \
    "landing-height,eroded-cells,row-transitions,column-transitions,cumulative-wells"
#define BOEHM                                                                                                \
    "max-height,holes,landing-height,removed-lines,weighted-cells,wells,cells,row-transitions,"              \
    "column-transitions,height-range,adjacent-holes,max-well-depth"

static const FeatureSet sets[] = {
    {"lippmann", "jags,max-height,holes,removed-lines",
     "Lippmann, Kukolich & Singer 1993, as in Amundsen's thesis"},
    {"tsitsiklis", "max-height,holes", "Tsitsiklis & Van Roy 1996"},
    {"bertsekas", BERTSEKAS, "Bertsekas & Tsitsiklis 1996; also Kakade 2002, Szita & Lőrincz 2006"},
    {"lagoudakis",
     "max-height,holes,height-differences,mean-height,delta-max-height,delta-holes,"
     "delta-height-differences,delta-mean-height,removed-lines",
     "Lagoudakis, Parr & Littman 2002"},
    {"dellacherie", DELLACHERIE, "Dellacherie, in Fahey 2003"},
    {"fahey", "holes,removed-lines,weighted-cells,wells,cells", "Fahey 2003, as in Amundsen's thesis"},
    {"ramon",
     "max-height,holes,column-heights,column-differences,mean-height,wells,min-height,"
     "max-minus-mean-height,mean-minus-min-height,mean-hole-depth",
     "Ramon & Driessens 2004"},
    {"xtris", "max-height,holes,landing-height,cell-transitions,deep-wells,embedded-holes",
     "Llima 2005, in the features of Amundsen's thesis; xtris itself counts frontier and pits"},
    {"boehm", BOEHM, "Böhm, Kókai & Mandl 2005"},
    {"langenhoven", BOEHM ",eroded-cells", "Langenhoven, van Heerden & Engelbrecht 2010"},
    {"bd", BERTSEKAS "," DELLACHERIE_WITHOUT_HOLES,
     "Thiery & Scherrer 2009: Bertsekas and Dellacherie together"},
    {"du", DELLACHERIE ",hole-depth,rows-with-holes",
     "Thiery & Scherrer 2009: Dellacherie and two more, the features of BCTS"},
    {"bcts", DELLACHERIE ",hole-depth,rows-with-holes", "another name of du"},
    {"bdu", BERTSEKAS "," DELLACHERIE_WITHOUT_HOLES ",hole-depth,rows-with-holes",
     "Thiery & Scherrer 2009: Bertsekas and DU together"},
    {"dt",
     "landing-height,eroded-cells,row-transitions,column-transitions,holes,cumulative-wells-fast,"
     "hole-depth,rows-with-holes,diversity",
     "Scherrer et al. 2015: the features of DT-10 and DT-20"},
    {"tetr-ai",
     "mean-landing-height,removed-lines,row-transitions,column-transitions,highest-hole-column,"
     "holes-by-column,wells-by-place,deepest-well,fits-both-ways",
     "Misakamm 2026: the features of tetr-ai v2.0"},
    {"all",
     "jags,max-height,holes,column-heights,column-differences,landing-height,cell-transitions,deep-wells,"
     "embedded-holes,height-differences,mean-height,delta-max-height,delta-holes,"
     "delta-height-differences,delta-mean-height,removed-lines,weighted-cells,wells,cells,eroded-cells,"
     "row-transitions,column-transitions,cumulative-wells,min-height,max-minus-mean-height,"
     "mean-minus-min-height,mean-hole-depth,height-range,adjacent-holes,max-well-depth,hole-depth,"
     "rows-with-holes,diversity",
     "the 33 features of Amundsen's Table 2.1, in its order"},
};

const FeatureSet *encoding_feature_set(int index) {
    return index >= 0 && index < (int)(sizeof sets / sizeof *sets) ? &sets[index] : NULL;
}
